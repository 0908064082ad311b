-- A subagent without a project of its own has its parent's, through several levels; a deleted parent still gives it.
INSERT INTO conversations (conversation_id, project_uri, project, project_path, workspace_id, project_source, created_at, deleted_at) VALUES
    ('p', 'file:///a/web', 'web', '/a/web', 'w1', 'headers_table', '2025-03-10 09:00:00+00', NULL),
    ('p-1', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:01:00+00', NULL),
    ('p-1-1', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:02:00+00', NULL),
    ('p-1-1-1', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:03:00+00', NULL),
    ('p-2 own', 'file:///b', 'b', '/b', 'w2', 'pane', '2025-03-10 09:04:00+00', NULL),
    ('p-2-1', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:05:00+00', NULL),
    ('d', 'file:///d', 'd', '/d', NULL, 'composer', '2025-03-10 09:00:00+00', '2025-06-01 00:00:00+00'),
    ('d-1', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:01:00+00', NULL),
    ('n', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:00:00+00', NULL),
    ('n-1', NULL, NULL, NULL, NULL, NULL, '2025-03-10 09:01:00+00', NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('p-1', 'p', 2, 'p'), ('p-1-1', 'p-1', 2, 'p-1'), ('p-1-1-1', 'p-1-1', 2, 'p-1-1'),
    ('p-2 own', 'p', 2, 'p'), ('p-2-1', 'p-2 own', 2, 'p-2 own'),
    ('d-1', 'd', 2, 'd'), ('n-1', 'n', 2, 'n');
