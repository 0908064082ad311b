-- a, turn 1: two thoughts (3 s and 1 s) of 10 s, a failed call and a good one; turn 2: no thinking in 10 s, a call that went well; turn 3: a thought without a time, so
-- not measured, and a call without an outcome; an abandoned branch and a deleted thought count nowhere. b has no model and no mode, and thinks for 0 ms.
ALTER TABLE messages ALTER created_at SET DEFAULT '2025-03-10 09:00:00+00'; -- times do not matter here
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (source_id, conversation_id, model, mode, created_at) VALUES
    ('s1', 'a', 'gpt-5', 'agent', '2025-03-10 09:00:00+00'), ('s1', 'b', NULL, NULL, '2025-03-11 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, is_listed, turn, role, kind, model, mode, thinking, thinking_duration_ms, turn_duration_ms, deleted_at) VALUES
    ('s1', 'a', 'm00', 0, true, 1, 'user', 'text', NULL, NULL, NULL, NULL, 10000, NULL),
    ('s1', 'a', 'm01', 1, true, 1, 'assistant', 'thinking', 'o3', NULL, 'hm', 3000, NULL, NULL),
    ('s1', 'a', 'm02', 2, true, 1, 'assistant', 'tool_call', NULL, NULL, 'and so', 1000, NULL, NULL),
    ('s1', 'a', 'm03', 3, true, 1, 'assistant', 'tool_call', 'gpt-5', NULL, NULL, NULL, NULL, NULL),
    ('s1', 'a', 'm04', 4, true, 2, 'user', 'text', NULL, 'agent', NULL, NULL, 10000, NULL),
    ('s1', 'a', 'm05', 5, true, 2, 'assistant', 'tool_call', NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'a', 'm06', 6, true, 3, 'user', 'text', NULL, NULL, NULL, NULL, 10000, NULL),
    ('s1', 'a', 'm07', 7, true, 3, 'assistant', 'thinking', NULL, NULL, 'long', NULL, NULL, NULL),
    ('s1', 'a', 'm08', 8, true, 3, 'assistant', 'tool_call', NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'a', 'm09', 9, false, 4, 'user', 'text', NULL, NULL, NULL, NULL, 10000, NULL),
    ('s1', 'a', 'm10', 10, false, 4, 'assistant', 'thinking', NULL, NULL, 'lost', 9000, NULL, NULL),
    ('s1', 'a', 'm11', NULL, true, 3, 'assistant', 'thinking', NULL, NULL, 'gone', 9000, NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'b', 'm00', 0, true, 1, 'user', 'text', NULL, NULL, NULL, NULL, 4000, NULL),
    ('s1', 'b', 'm01', 1, true, 1, 'assistant', 'thinking', NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, is_error) VALUES
    ('s1', 'a', 'm02', 0, 2, true), ('s1', 'a', 'm03', 0, 3, false), ('s1', 'a', 'm05', 0, 5, false), ('s1', 'a', 'm08', 0, 8, NULL);
