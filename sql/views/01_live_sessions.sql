-- Sessions, with the project as it is called now (table project_aliases). A project that was renamed keeps the rows of both its names.
CREATE OR REPLACE VIEW live_sessions AS
SELECT n.* REPLACE (coalesce(u.new_project_uri, n.project_uri) AS project_uri) -- one REPLACE for each: the engine changes the order of two in one list
FROM (
    SELECT s.* REPLACE (CASE WHEN p.project_uri IS NULL THEN s.project ELSE p.new_project END AS project)
    FROM sessions s
    LEFT JOIN project_aliases p ON p.project_uri = s.project_uri
) n
LEFT JOIN project_aliases u ON u.project_uri = n.project_uri;
COMMENT ON VIEW live_sessions IS 'Sessions, with the project as it is called now (table project_aliases).';
