-- a: an edited prompt left five messages behind (a sixth is deleted). b is a fork of a: the request r1 is in both. c has the same id as a in another source,
-- and r1 as well: that is no fork. d lost its list of headers: none of its messages are discarded. e is as it should be. f is deleted and shares r2.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project, header_count, created_at, deleted_at) VALUES
    ('s1', 'a', 'Origin', 'tide', 2, '2025-03-10 09:00:00+00', NULL), ('s1', 'b', 'Fork', 'tide', 3, '2025-03-11 09:00:00+00', NULL),
    ('s2', 'a', 'Elsewhere', NULL, 1, '2025-03-01 09:00:00+00', NULL), ('s1', 'd', 'No headers', NULL, 0, '2025-03-12 09:00:00+00', NULL),
    ('s1', 'e', 'Fine', NULL, 1, '2025-03-13 09:00:00+00', NULL), ('s1', 'f', 'Gone', NULL, 1, '2025-03-01 09:00:00+00', '2025-06-01 00:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, is_listed, role, kind, request_id, created_at, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, true, 'user', 'text', 'r1', '2025-03-10 09:00:00+00', NULL),
    ('s1', 'a', 'm1', 1, true, 'assistant', 'text', NULL, '2025-03-10 09:00:10+00', NULL),
    ('s1', 'a', 'u0', 2, false, 'user', 'text', 'r2', '2025-03-10 09:01:00+00', NULL),
    ('s1', 'a', 'u1', 3, false, 'assistant', 'tool_call', NULL, '2025-03-10 09:01:10+00', NULL),
    ('s1', 'a', 'u2', 4, false, 'assistant', 'tool_call', NULL, '2025-03-10 09:01:20+00', NULL),
    ('s1', 'a', 'u3', 5, false, 'assistant', 'tool_call', NULL, '2025-03-10 09:01:30+00', NULL),
    ('s1', 'a', 'u4', 6, false, 'user', 'text', NULL, '2025-03-10 09:01:40+00', NULL),
    ('s1', 'a', 'u5', NULL, false, 'assistant', 'tool_call', NULL, '2025-03-10 09:01:50+00', '2025-06-01 00:00:00+00'),
    ('s1', 'b', 'm0', 0, true, 'user', 'text', 'r1', '2025-03-10 09:00:00+00', NULL),
    ('s1', 'b', 'm1', 1, true, 'assistant', 'text', NULL, '2025-03-10 09:00:10+00', NULL),
    ('s1', 'b', 'm2', 2, true, 'user', 'text', 'r3', '2025-03-11 09:00:10+00', NULL),
    ('s2', 'a', 'm0', 0, true, 'user', 'text', 'r1', '2025-03-01 09:00:00+00', NULL),
    ('s1', 'd', 'm0', 0, false, 'user', 'text', 'r4', '2025-03-12 09:00:00+00', NULL),
    ('s1', 'e', 'm0', 0, true, 'user', 'text', 'r5', '2025-03-13 09:00:00+00', NULL),
    ('s1', 'f', 'm0', NULL, true, 'user', 'text', 'r2', '2025-03-01 09:00:00+00', '2025-06-01 00:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, lines_added, lines_removed, deleted_at) VALUES
    ('s1', 'a', 'u1', 0, 3, 'edit_file', 'edit', 10, 4, NULL),
    ('s1', 'a', 'u2', 0, 4, 'edit_file', 'edit', NULL, NULL, NULL),
    ('s1', 'a', 'u3', 0, 5, 'run_terminal_command', 'shell', NULL, NULL, NULL),
    ('s1', 'a', 'u5', 0, NULL, 'edit_file', 'edit', 100, 100, '2025-06-01 00:00:00+00');
