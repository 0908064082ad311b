-- Repository r is at /p, and was at /old until June 2025; w is on Windows; another project has none. Conversation c runs from 09:00 to 10:00, by its
-- last message; its window is the default of 30 minutes.
INSERT INTO repositories (repository_id, project_uri, project_path, repository_path, prefix, deleted_at) VALUES
    ('r', 'file:///p/web', '/p/web', '/p', 'web/', NULL), ('r', 'file:///old', '/old', '/old', NULL, '2025-06-01 00:00:00+00'),
    ('w', 'file:///c:/Src/App', 'c:\Src\App', 'C:/Src/App', NULL, NULL);
INSERT INTO conversations (conversation_id, project_uri, project_path, created_at, updated_at, status, is_draft, deleted_at) VALUES
    ('c', 'file:///p/web', '/p/web', '2025-03-10 09:00:00+00', '2025-03-10 09:01:00+00', NULL, NULL, NULL),
    ('other', 'file:///q', '/q', '2025-03-10 09:00:00+00', NULL, NULL, NULL, NULL),
    ('old', 'file:///old', '/old', '2025-03-10 11:00:00+00', '2025-03-10 11:00:00+00', NULL, NULL, NULL),
    ('new at old', 'file:///old', '/old', '2025-07-01 00:00:00+00', NULL, NULL, NULL, NULL),
    ('draft', 'file:///p/web', '/p/web', '2025-03-10 09:00:00+00', '2025-03-10 09:59:00+00', NULL, true, NULL),
    ('no time', 'file:///p/web', '/p/web', NULL, NULL, NULL, NULL, NULL),
    ('gone', 'file:///p/web', '/p/web', '2025-03-12 09:00:00+00', '2025-03-12 09:00:00+00', NULL, NULL, '2025-05-01 00:00:00+00'),
    ('win', 'file:///c:/Src/App', 'c:\Src\App', '2025-03-10 09:00:00+00', NULL, NULL, NULL, NULL);
INSERT INTO messages (conversation_id, message_id, position, role, created_at, created_at_source, deleted_at) VALUES
    ('c', 'm0', 0, 'user', '2025-03-10 09:00:00+00', 'message', NULL), ('c', 'm1', 1, 'assistant', '2025-03-10 09:30:00+00', 'header', NULL),
    ('c', 'm2', 2, 'assistant', '2025-03-10 10:00:00+00', 'message', NULL), ('c', 'inherited', 3, 'assistant', '2025-03-10 10:20:00+00', 'previous', NULL),
    ('gone', 'm0', NULL, 'user', '2025-03-12 10:00:00+00', 'message', '2025-05-01 00:00:00+00'),
    ('win', 'm0', 0, 'assistant', '2025-03-10 09:00:00+00', 'message', NULL);
INSERT INTO tool_calls (conversation_id, message_id, call_index, tool_kind, file_path, is_error, user_decision) VALUES
    ('c', 'm0', 0, 'read', '/p/web/read.go', false, NULL), ('c', 'm0', 1, 'edit', './edited.go', NULL, NULL), ('c', 'm0', 2, 'edit', 'failed.go', true, NULL),
    ('c', 'm0', 3, 'edit', 'rejected.go', false, 'rejected'), ('c', 'm0', 4, 'read', '/p/top.go', NULL, NULL), ('c', 'm0', 5, 'edit', '/elsewhere/edited.go', NULL, NULL),
    ('c', 'm2', 0, 'edit', 'read.go', NULL, NULL), ('c', 'm2', 1, 'edit', 'late.go', NULL, NULL),
    ('win', 'm0', 0, 'edit', 'C:\src\app\Sub\A.cs', NULL, NULL);
INSERT INTO code_edits (edit_id, conversation_id, message_id, path, is_accepted) VALUES
    ('e1', 'c', 'm0', '/p/web/block.go', true), ('e2', 'c', 'm0', '/p/web/refused.go', false);
INSERT INTO commits (repository_id, commit_hash, authored_at, committed_at, files_changed, deleted_at) VALUES
    ('r', 'before', '2025-03-10 08:59:59.999+00', '2025-03-10 09:30:00+00', 0, NULL),
    ('r', 'at start', '2025-03-10 09:00:00+00', '2025-03-20 00:00:00+00', 0, NULL),
    ('r', 'within', '2025-03-10 09:45:00+00', '2025-03-10 09:45:00+00', 8, NULL),
    ('r', 'at end', '2025-03-10 10:30:00+00', '2025-03-10 10:30:00+00', 2, NULL),
    ('r', 'after', '2025-03-10 10:30:00.001+00', '2025-03-10 10:30:00+00', 1, NULL),
    ('r', 'rebased away', '2025-03-10 09:45:00+00', '2025-03-10 09:45:00+00', 0, '2025-05-01 00:00:00+00'),
    ('r', 'rebased in a moment', '2025-03-10 09:46:00+00', '2025-03-10 09:46:00+00', 0, NULL),
    ('r', 'of old', '2025-03-10 11:10:00+00', '2025-03-10 11:10:00+00', NULL, NULL),
    ('r', 'in July', '2025-07-01 00:10:00+00', '2025-07-01 00:10:00+00', 1, NULL),
    ('r', 'of gone', '2025-03-12 10:30:00+00', '2025-03-12 10:30:00+00', 1, NULL),
    ('w', 'win', '2025-03-10 09:10:00+00', '2025-03-10 09:10:00+00', 1, NULL);
INSERT INTO commit_files (repository_id, commit_hash, ordinal, path, old_path, status) VALUES
    ('r', 'within', 0, 'web/read.go', NULL, 'modified'), ('r', 'within', 1, 'web/new.go', 'web/edited.go', 'renamed'), ('r', 'within', 2, 'web/failed.go', NULL, 'modified'),
    ('r', 'within', 3, 'web/rejected.go', NULL, 'modified'), ('r', 'within', 4, 'top.go', NULL, 'modified'), ('r', 'within', 5, 'edited.go', NULL, 'modified'),
    ('r', 'within', 6, 'web/late.go', NULL, 'modified'), ('r', 'within', 7, 'web/block.go', NULL, 'modified'),
    ('r', 'at end', 0, 'web/read.go', NULL, 'modified'), ('r', 'at end', 1, 'web/READ.go', NULL, 'modified'),
    ('r', 'after', 0, 'web/read.go', NULL, 'modified'), ('r', 'in July', 0, 'a', NULL, 'modified'), ('r', 'of gone', 0, 'a', NULL, 'modified'),
    ('w', 'win', 0, 'sub/a.cs', NULL, 'modified');
UPDATE conversations SET missing_message_count = 0, is_draft = NULL WHERE is_draft;
