-- Which conversations does the warehouse have, with the project as it is called now? All rows of conversations, also deleted ones, orphans and copies.
-- A project that was renamed, or that --alias names, has its new project_uri and project; project_path stays the folder in which it was recorded.
CREATE OR REPLACE VIEW all_conversations AS
SELECT n.* REPLACE (coalesce(u.new_project_uri, n.project_uri) AS project_uri) -- one REPLACE for each: the engine changes the order of two in one list
FROM (
    SELECT c.* REPLACE (CASE WHEN p.project_uri IS NULL THEN c.project ELSE p.new_project END AS project)
    FROM conversations c
    LEFT JOIN project_aliases p ON p.project_uri = c.project_uri
) n
LEFT JOIN project_aliases u ON u.project_uri = n.project_uri;
COMMENT ON VIEW all_conversations IS 'All conversations, deleted ones too, with the project as it is called now (table project_aliases).';
