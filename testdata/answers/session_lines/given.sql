-- One session of two conversations, of which one has Cursor's totals; a session without any edit; a deleted call; a conversation of no time has no session.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, lines_added, lines_removed, created_at) VALUES
    ('s1', 'a', 'file:///p', 'p', 40, 10, '2025-03-10 09:00:00+00'),
    ('s1', 'b', 'file:///p', 'p', NULL, NULL, '2025-03-10 09:20:00+00'),
    ('s1', 'c', 'file:///p', 'p', NULL, NULL, '2025-03-10 12:00:00+00'),
    ('s1', 'd', 'file:///p', 'p', 999, 999, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, created_at, created_at_source) VALUES
    ('s1', 'a', 'm0', 0, 'tool_call', '2025-03-10 09:00:10+00', 'message'), ('s1', 'b', 'm0', 0, 'tool_call', '2025-03-10 09:20:10+00', 'message'),
    ('s1', 'c', 'm0', 0, 'tool_call', '2025-03-10 12:00:10+00', 'message'), ('s1', 'd', 'm0', 0, 'tool_call', NULL, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, lines_added, lines_removed, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 0, 'edit_file', 'edit', 10, 0, NULL), ('s1', 'a', 'm0', 1, 0, 'edit_file', 'edit', NULL, NULL, NULL),
    ('s1', 'b', 'm0', 0, 0, 'edit_file', 'edit', 5, 4, NULL), ('s1', 'b', 'm0', 1, NULL, 'edit_file', 'edit', 500, 500, '2025-06-01 00:00:00+00'),
    ('s1', 'c', 'm0', 0, 0, 'read_file', 'read', NULL, NULL, NULL), ('s1', 'd', 'm0', 0, 0, 'edit_file', 'edit', 7, 7, NULL);
