-- Five timed reads and one without a time; a search that was never timed; two equally slow edits; a deleted call, and one of an orphan.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project, status, created_at) VALUES
    ('s1', 'c', 'One', 'tide', 'completed', '2025-03-10 09:00:00+00'),
    ('s2', 'c', 'Other', 'site', 'completed', '2025-03-10 09:00:00+00'),
    ('s1', 'o', NULL, NULL, 'orphaned', NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, created_at, deleted_at) VALUES
    ('s1', 'c', 'm0', 0, 'tool_call', '2025-03-10 09:00:10+00', NULL),
    ('s1', 'c', 'm1', 1, 'tool_call', '2025-03-10 09:00:20+00', NULL),
    ('s1', 'c', 'gone', NULL, 'tool_call', '2025-03-10 09:00:40+00', '2025-06-01 00:00:00+00'),
    ('s2', 'c', 'm0', 0, 'tool_call', '2025-03-10 09:00:10+00', NULL),
    ('s1', 'o', 'm0', 0, 'tool_call', '2025-03-10 09:00:10+00', NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, started_at, duration_ms, deleted_at) VALUES
    ('s1', 'c', 'm0', 0, 0, 'read_file', 'read', '2025-03-10 09:00:01+00', 10, NULL),
    ('s1', 'c', 'm0', 1, 0, 'read_file', 'read', '2025-03-10 09:00:02+00', 20, NULL),
    ('s1', 'c', 'm0', 2, 0, 'read_file', 'read', '2025-03-10 09:00:03+00', 0, NULL),
    ('s1', 'c', 'm1', 0, 1, 'read_file', 'read', '2025-03-10 09:00:04+00', 40, NULL),
    ('s1', 'c', 'm1', 1, 1, 'read_file', 'read', '2025-03-10 09:00:05+00', NULL, NULL),
    ('s2', 'c', 'm0', 0, 0, 'read_file', 'read', '2025-03-10 09:00:06+00', 500, NULL),
    ('s1', 'c', 'm1', 2, 1, 'grep', 'search', NULL, NULL, NULL),
    ('s1', 'c', 'm1', 3, 1, NULL, 'other', '2025-03-10 09:00:07+00', 3, NULL),
    ('s2', 'c', 'm0', 1, 0, 'edit_file', 'edit', '2025-03-10 09:00:09+00', 70, NULL),
    ('s1', 'c', 'm1', 4, 1, 'edit_file', 'edit', '2025-03-10 09:00:08+00', 70, NULL),
    ('s1', 'c', 'gone', 0, NULL, 'grep', 'search', '2025-03-10 09:00:30+00', 99999, '2025-06-01 00:00:00+00'),
    ('s1', 'o', 'm0', 0, 0, 'grep', 'search', '2025-03-10 09:00:30+00', 88888, NULL);
