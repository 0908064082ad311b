-- m0: a block and a call that are one edit. m1: two blocks and a call: three records, two edits. m2: a call by itself; m3: a rejected one; m4: one that
-- failed and proposes nothing. Paths that are absolute, with a query, of Windows, outside the project, without an extension.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_path, model, created_at) VALUES
    ('s1', 'c', 'One', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-10 09:00:00+00'),
    ('s1', 'w', 'Windows', 'file:///c:/Work/Led', 'Led', 'c:\Work\Led\', NULL, '2025-03-11 09:00:00+00'),
    ('s2', 'c', 'Other', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-12 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, kind, model, created_at, created_at_source) VALUES
    ('s1', 'c', 'm0', 0, 1, 'tool_call', 'gpt-5', '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'c', 'm1', 1, 1, 'tool_call', NULL, '2025-03-10 09:01:00+00', 'header'),
    ('s1', 'c', 'm2', 2, 2, 'tool_call', NULL, '2025-03-10 09:01:00+00', 'previous'),
    ('s1', 'c', 'm3', 3, 2, 'tool_call', NULL, '2025-03-10 09:03:00+00', 'timing'),
    ('s1', 'c', 'm4', 4, 2, 'tool_call', NULL, '2025-03-10 09:04:00+00', 'message'),
    ('s1', 'w', 'm0', 0, 1, 'tool_call', NULL, '2025-03-11 09:00:00+00', 'message'),
    ('s2', 'c', 'm0', 0, 1, 'text', NULL, '2025-03-12 09:00:00+00', 'message');
INSERT INTO code_edits (source_id, edit_id, conversation_id, message_id, path, language, is_accepted, lines_added, lines_removed, created_at, deleted_at) VALUES
    ('s1', 'e0', 'c', 'm0', NULL, 'go', true, NULL, NULL, '2025-03-10 09:00:05+00', NULL),
    ('s1', 'e1', 'c', 'm1', '/home/a/tide/src/App.TSX?ab12', 'typescript', NULL, 5, 2, NULL, NULL),
    ('s1', 'e2', 'c', 'm1', '/srv/Makefile', 'makefile', false, NULL, NULL, NULL, NULL),
    ('s1', 'e3', 'c', 'm9', '/home/a/tidewater/x.py', NULL, true, NULL, NULL, NULL, NULL),
    ('s1', 'e4', 'c', 'm0', '/home/a/tide/y.py', NULL, true, 9, 9, NULL, '2025-06-01 00:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool, tool_kind, file_path, user_decision, is_error, lines_added, lines_removed) VALUES
    ('s1', 'c', 'm0', 0, 'edit_file', 'edit', 'cmd/main.go', 'rejected', false, 7, 3),
    ('s1', 'c', 'm1', 1, 'edit_file', 'edit', 'src/other.ts', NULL, false, 100, 100),
    ('s1', 'c', 'm2', 2, 'edit_file', 'edit', 'a.sql', NULL, NULL, NULL, NULL),
    ('s1', 'c', 'm3', 3, 'edit_file', 'edit', 'a.sql', 'rejected', false, 0, 4),
    ('s1', 'c', 'm4', 4, 'edit_file', 'edit', 'a.sql', NULL, true, 8, 8),
    ('s1', 'w', 'm0', 0, 'edit_file', 'edit', 'C:\work\Led\src\Ä.cs', 'accepted', false, 2, 2),
    ('s2', 'c', 'm0', 0, 'read_file', 'read', 'a.sql', NULL, false, NULL, NULL);
