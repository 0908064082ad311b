-- A repository with two weeks of commits: one that a conversation worked on, one made beside it, a merge, one of somebody else with no conversation
-- near, one that was rebased away. The window is 10 minutes. The second session made no commit; a project without a repository has a session too.
INSERT INTO _meta VALUES ('commit_window_ms', '600000');
INSERT INTO sources (source_id, app) VALUES ('s1', 'Cursor'), ('git', 'git');
INSERT INTO repositories (repository_id, project_uri, project_path, repository_path) VALUES ('r', 'file:///p', '/p', '/p');
INSERT INTO conversations (conversation_id, title, project_uri, project, project_path, created_at) VALUES
    ('a', 'Work', 'file:///p', 'p', '/p', '2025-03-10 09:00:00+00'), ('b', 'Talk', 'file:///p', 'p', '/p', '2025-03-10 09:10:00+00'),
    ('later', NULL, 'file:///p', 'p', '/p', '2025-03-12 09:00:00+00'), ('q', NULL, 'file:///q', 'q', '/q', '2025-03-12 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, role, text, created_at, created_at_source) VALUES
    ('a', 'm0', 0, 'user', 'Make it', '2025-03-10 09:00:00+00', 'message'), ('a', 'm1', 1, 'assistant', 'Made', '2025-03-10 09:01:00+00', 'message'),
    ('a', 'm2', 2, 'user', 'Better', '2025-03-10 09:15:00+00', 'message'), ('a', 'm3', 3, 'user', 'Best', '2025-03-10 09:20:00+00', 'message'),
    ('a', 'm4', 4, 'user', 'Too late', '2025-03-10 09:40:00+00', 'message'),
    ('b', 'm0', 0, 'user', 'Why?', '2025-03-10 09:10:00+00', 'message'), ('b', 'm1', 1, 'assistant', 'So', '2025-03-10 09:22:00+00', 'message'),
    ('later', 'm0', 0, 'user', 'Hm', '2025-03-12 09:00:00+00', 'message');
INSERT INTO tool_calls (conversation_id, message_id, position, tool_kind, file_path) VALUES ('a', 'm1', 1, 'edit', 'x.go');
INSERT INTO commits (repository_id, commit_hash, subject, author_name, author_email, authored_at, committed_at, parent_count, is_merge, files_changed, lines_added, lines_removed, deleted_at) VALUES
    ('r', 'aaaaaaaaaaaa', 'Make it', 'Mira', 'm@x', '2025-03-10 09:25:00+00', '2025-03-10 09:25:00+00', 1, false, 2, 30, 4, NULL),
    ('r', 'bbbbbbbbbbbb', 'Beside', 'Mira', 'M@x', '2025-03-10 09:40:00+00', '2025-03-10 09:40:00+00', 1, false, 1, 5, 0, NULL),
    ('r', 'cccccccccccc', 'Merge', 'Mira', 'm@x', '2025-03-10 09:41:00+00', '2025-03-10 09:41:00+00', 2, true, 1, 9, 9, NULL),
    ('r', 'dddddddddddd', 'Elsewhere', 'Ole', 'o@x', '2025-03-14 09:00:00+00', '2025-03-14 09:00:00+00', 1, false, NULL, NULL, NULL, NULL),
    ('r', 'eeeeeeeeeeee', 'Rebased away', 'Mira', 'm@x', '2025-03-10 09:25:00+00', '2025-03-10 09:25:00+00', 1, false, 0, NULL, NULL, '2025-04-01 00:00:00+00'),
    ('r', 'ffffffffffff', 'Next week', 'Ole', 'o@x', '2025-03-18 09:00:00+00', '2025-03-18 09:00:00+00', 1, false, 1, 1, 1, NULL);
INSERT INTO commit_files (repository_id, commit_hash, ordinal, path) VALUES ('r', 'aaaaaaaaaaaa', 0, 'x.go'), ('r', 'aaaaaaaaaaaa', 1, 'y.go'),
    ('r', 'bbbbbbbbbbbb', 0, 'z.go'), ('r', 'cccccccccccc', 0, 'z.go'), ('r', 'ffffffffffff', 0, 'z.go');
