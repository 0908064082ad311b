-- Sessions, with the project as it is called now (table project_aliases). A project that was renamed keeps the rows of both its names.
CREATE OR REPLACE VIEW live_sessions AS
SELECT s.* REPLACE (coalesce(a.new_project_uri, s.project_uri) AS project_uri, CASE WHEN a.project_uri IS NULL THEN s.project ELSE a.new_project END AS project)
FROM sessions s
LEFT JOIN project_aliases a ON a.project_uri = s.project_uri;
COMMENT ON VIEW live_sessions IS 'Sessions, with the project as it is called now (table project_aliases).';
