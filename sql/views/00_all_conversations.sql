-- Which conversations does the warehouse have, with the project as it is called now? All rows of conversations, also deleted ones, orphans and copies.
-- A project that was renamed, or that --alias names, has its new project_uri and project; project_path stays the folder in which it was recorded.
CREATE OR REPLACE VIEW all_conversations AS
SELECT c.* REPLACE (coalesce(a.new_project_uri, c.project_uri) AS project_uri, CASE WHEN a.project_uri IS NULL THEN c.project ELSE a.new_project END AS project)
FROM conversations c
LEFT JOIN project_aliases a ON a.project_uri = c.project_uri;
COMMENT ON VIEW all_conversations IS 'All conversations, deleted ones too, with the project as it is called now (table project_aliases).';
