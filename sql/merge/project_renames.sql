-- Adds to _aliases the projects whose folder was renamed: a workspace has another one than the last load saw, and no other workspace of the source has
-- the old one.
INSERT INTO temp._aliases
SELECT o.project_uri, arg_min(s.project_uri, s.project_uri), arg_min(s.project, s.project_uri), arg_min(s.project_path, s.project_uri), 'renamed'
FROM workspaces o
JOIN temp.stage_workspaces s ON s.source_id = o.source_id AND s.workspace_id = o.workspace_id
WHERE o.project_uri <> s.project_uri
  AND NOT EXISTS (FROM temp.stage_workspaces w WHERE w.source_id = o.source_id AND w.project_uri = o.project_uri)
GROUP BY o.project_uri;
