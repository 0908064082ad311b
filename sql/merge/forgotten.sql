-- Takes from _other, a warehouse that was made anew from the raw layer, what this one once knew of conversations and has forgotten: earlier versions dropped a project, a
-- title, a mode or a branch when the place went that named it.
UPDATE conversations AS o
SET title = coalesce(o.title, n.title), mode = coalesce(o.mode, n.mode), git_branch = coalesce(o.git_branch, n.git_branch), kept_from = n.kept_from,
    worktree_path = coalesce(o.worktree_path, n.worktree_path),
    project_uri = CASE WHEN n.project_uri IS NULL THEN o.project_uri ELSE n.project_uri END, project = CASE WHEN n.project_uri IS NULL THEN o.project ELSE n.project END,
    project_path = CASE WHEN n.project_uri IS NULL THEN o.project_path ELSE n.project_path END, workspace_id = coalesce(n.workspace_id, o.workspace_id),
    project_source = CASE WHEN n.project_uri IS NULL THEN o.project_source ELSE n.project_source END
FROM _other.conversations n
WHERE n.source_id = o.source_id AND n.conversation_id = o.conversation_id AND n.project_source IS DISTINCT FROM 'parent';
