-- main.go is read and edited under three spellings, by two sources of one project; util.go is only read; its one edit failed. README is deleted by the agent. A listing and a
-- lint call are no reads; an edit without a path is only counted. The other project's main.go is another file. A deleted chat and a deleted call count nowhere.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_path, created_at, deleted_at) VALUES
    ('s1', 'a', 'file:///c:/w/tide', 'tide', 'C:\w\tide', '2025-03-10 09:00:00+00', NULL),
    ('s2', 'a', 'file:///c:/w/tide', 'tide', 'C:\w\tide', '2025-03-11 09:00:00+00', NULL),
    ('s1', 'b', 'file:///home/m/tide', 'tide', '/home/m/tide', '2025-03-12 09:00:00+00', NULL),
    ('s1', 'gone', 'file:///home/m/tide', 'tide', '/home/m/tide', '2025-03-12 09:00:00+00', '2025-06-01 00:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 'tool_call', '2025-03-10 09:00:10+00', 'message', NULL), ('s1', 'a', 'm1', 1, 'tool_call', '2025-03-10 09:00:20+00', 'header', NULL),
    ('s1', 'a', 'm2', 2, 'tool_call', '2025-03-10 09:00:30+00', 'message', NULL), ('s1', 'a', 'm3', 3, 'tool_call', '2025-03-10 09:00:30+00', 'previous', NULL),
    ('s1', 'a', 'm4', 4, 'tool_call', '2025-03-10 09:00:50+00', 'message', NULL), ('s1', 'a', 'm5', NULL, 'tool_call', '2025-03-10 09:00:50+00', 'message', '2025-06-01 00:00:00+00'),
    ('s2', 'a', 'm0', 0, 'tool_call', '2025-03-11 09:00:10+00', 'message', NULL), ('s1', 'b', 'm0', 0, 'tool_call', '2025-03-12 09:00:10+00', 'message', NULL),
    ('s1', 'gone', 'm0', NULL, 'tool_call', '2025-03-12 09:00:10+00', 'message', '2025-06-01 00:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, is_error, file_path, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 0, 'read_file', 'read', false, 'src\main.go', NULL),
    ('s1', 'a', 'm0', 1, 0, 'list_dir', 'read', false, 'src', NULL),
    ('s1', 'a', 'm0', 2, 0, 'read_lints', 'read', false, 'src/main.go', NULL),
    ('s1', 'a', 'm1', 0, 1, 'edit_file', 'edit', NULL, 'c:/w/tide/src/main.go', NULL),
    ('s1', 'a', 'm2', 0, 2, 'read_file', 'read', false, './src/util.go', NULL),
    ('s1', 'a', 'm3', 0, 3, 'edit_file', 'edit', true, 'src/util.go', NULL),
    ('s1', 'a', 'm4', 0, 4, 'delete_file', 'edit', false, 'README', NULL),
    ('s1', 'a', 'm4', 1, 4, 'edit_file', 'edit', false, NULL, NULL),
    ('s1', 'a', 'm5', 0, NULL, 'edit_file', 'edit', false, 'src/main.go', '2025-06-01 00:00:00+00'),
    ('s2', 'a', 'm0', 0, 0, 'search_replace', 'edit', false, 'src/main.go', NULL),
    ('s1', 'b', 'm0', 0, 0, 'read_file', 'read', false, '/home/m/tide2/src/main.go', NULL),
    ('s1', 'b', 'm0', 1, 0, 'read_file', 'read', false, '/home/m/tide/src/main.go', NULL),
    ('s1', 'gone', 'm0', 0, NULL, 'read_file', 'read', false, 'src/main.go', '2025-06-01 00:00:00+00');
