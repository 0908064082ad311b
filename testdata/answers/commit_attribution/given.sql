-- A commit that a conversation is linked to and that is scored on two branches, one that only Cursor knows, one without figures, one that is gone.
INSERT INTO _meta VALUES ('commit_window_ms', '600000');
INSERT INTO sources (source_id, app) VALUES ('s1', 'Cursor'), ('git', 'git'), ('tracking', 'ai-tracking');
INSERT INTO repositories (repository_id, project_uri, project_path, repository_path) VALUES ('r', 'file:///p', '/p', '/p');
INSERT INTO conversations (conversation_id, title, project_uri, project, project_path, created_at) VALUES ('a', 'Work', 'file:///p', 'p', '/p', '2025-03-10 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, role, text, created_at, created_at_source) VALUES ('a', 'm0', 0, 'user', 'Make it', '2025-03-10 09:20:00+00', 'message');
INSERT INTO commits (repository_id, commit_hash, subject, authored_at, committed_at, files_changed) VALUES
    ('r', 'aaaa', 'Make it', '2025-03-10 09:25:00+00', '2025-03-12 10:00:00+00', 0);
INSERT INTO scored_commits (commit_hash, branch, scored_at, committed_at, message, lines_added, lines_removed, tab_lines_added, composer_lines_added, human_lines_added, blank_lines_added, ai_percent_v2, deleted_at) VALUES
    ('aaaa', 'main', '2025-03-10 09:26:00+00', '2025-03-10 09:25:00+00', 'Make it', 50, 4, 10, 20, 10, 10, 75.0, NULL),
    ('aaaa', 'side', '2025-03-11 09:26:00+00', '2025-03-10 09:25:00+00', 'Make it', 50, 4, 0, 0, 40, 10, 0.0, NULL),
    ('bbbb', 'main', '2025-03-09 09:00:00+00', NULL, E'Alone\n\nAnd more', 5, 0, 5, 0, 0, 0, 100.0, NULL),
    ('cccc', 'main', NULL, '2025-03-08 09:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('dddd', 'main', '2025-03-10 09:26:00+00', '2025-03-10 09:25:00+00', 'Gone', 50, 4, 10, 20, 10, 10, 75.0, '2025-04-01 00:00:00+00');
