-- Periods of activity, with the project as it is called now (table project_aliases). A project that was renamed keeps the rows of both its names.
CREATE OR REPLACE VIEW live_activity_periods AS
SELECT s.* REPLACE (coalesce(a.new_project_uri, s.project_uri) AS project_uri, CASE WHEN a.project_uri IS NULL THEN s.project ELSE a.new_project END AS project)
FROM activity_periods s
LEFT JOIN project_aliases a ON a.project_uri = s.project_uri;
COMMENT ON VIEW live_activity_periods IS 'Periods of activity, with the project as it is called now (table project_aliases).';
