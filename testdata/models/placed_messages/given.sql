-- b is a copy of a: its list names two messages of a before its own two, and one after them of which a has another time. x names a message of a, too, and is older; y names one of a
-- chat that is deleted; z one whose role is another. The deleted chat has a message whose row was missing once: it stays. What b has not is missing: 3 of its headers until two are found.
INSERT INTO conversations (conversation_id, created_at, header_count, missing_message_count, completeness, deleted_at) VALUES
    ('a', '2025-03-10 09:00:00+00', 3, 0, 'complete', NULL), ('b', '2025-03-11 09:00:00+00', 5, 3, 'partial', NULL), ('x', '2025-03-01 09:00:00+00', 1, 1, 'partial', NULL),
    ('gone', '2025-03-01 09:00:00+00', 1, 0, 'complete', '2025-06-01 00:00:00+00'), ('y', '2025-03-02 09:00:00+00', 1, 1, 'partial', NULL), ('z', '2025-03-12 09:00:00+00', 1, 1, 'partial', NULL);
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, text, input_tokens, created_at, deleted_at) VALUES
    ('a', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'text', 'Plan it', NULL, '2025-03-10 09:00:00+00', NULL),
    ('a', 'bbbbbbbb-0000-4000-8000-000000000002', 1, 1, 'assistant', 'tool_call', NULL, 500, '2025-03-10 09:00:01+00', NULL),
    ('a', 'bbbbbbbb-0000-4000-8000-000000000003', 2, 1, 'assistant', 'text', 'Done', NULL, '2025-03-10 09:00:02+00', NULL),
    ('b', 'bbbbbbbb-0000-4000-8000-000000000004', 0, 1, 'user', 'text', 'Do it', NULL, '2025-03-11 09:00:00+00', NULL),
    ('b', 'bbbbbbbb-0000-4000-8000-000000000005', 1, 1, 'assistant', 'tool_call', NULL, 7, '2025-03-11 09:00:01+00', NULL),
    ('gone', 'bbbbbbbb-0000-4000-8000-000000000006', NULL, 1, 'user', 'text', 'Gone', NULL, '2025-03-01 09:00:00+00', '2025-06-01 00:00:00+00'),
    ('gone', 'bbbbbbbb-0000-4000-8000-000000000007', 0, 1, 'assistant', 'text', 'Its row is back', NULL, '2025-03-01 09:00:01+00', NULL);
INSERT INTO tool_calls (conversation_id, message_id, position, tool_call_id, tool) VALUES
    ('a', 'bbbbbbbb-0000-4000-8000-000000000002', 1, 'toolu_1', 'grep'), ('b', 'bbbbbbbb-0000-4000-8000-000000000005', 1, 'toolu_2', 'ls');
INSERT INTO attachments (conversation_id, message_id, path) VALUES ('a', 'bbbbbbbb-0000-4000-8000-000000000001', 'a.go');
INSERT INTO _missing_headers (conversation_id, message_id, place, ordinal, role, created_at) VALUES
    ('b', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 0, 'user', '2025-03-10 09:00:00+00'), ('b', 'bbbbbbbb-0000-4000-8000-000000000002', 0, 1, 'assistant', '2025-03-10 09:00:01+00'),
    ('b', 'bbbbbbbb-0000-4000-8000-000000000003', 2, 4, 'assistant', '2025-03-10 09:00:03+00'),
    ('x', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 0, 'user', '2025-03-10 09:00:00+00'), ('y', 'bbbbbbbb-0000-4000-8000-000000000006', 0, 0, 'user', '2025-03-01 09:00:00+00'),
    ('z', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 0, 'assistant', '2025-03-10 09:00:00+00'), ('gone', 'bbbbbbbb-0000-4000-8000-000000000007', 0, 0, 'assistant', '2025-03-01 09:00:01+00');
