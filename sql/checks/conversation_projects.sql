-- A conversation with a project has a project_source, a project's name has a URI, and only a subagent has its parent's project.
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key,
       CASE WHEN project_uri IS NOT NULL AND project_source IS NULL THEN 'a project without project_source'
            WHEN project_uri IS NULL AND project IS NOT NULL THEN 'project without project_uri'
            ELSE 'project of a parent, but no subagent' END AS problem
FROM conversations
WHERE (project_uri IS NOT NULL AND project_source IS NULL)
   OR (project_uri IS NULL AND project IS NOT NULL)
   OR (project_source = 'parent' AND NOT is_subagent);
