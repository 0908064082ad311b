-- Figures of conversations: over live rows; NULL where nothing is recorded.
INSERT INTO conversations (conversation_id, created_at, updated_at, status, deleted_at, header_count, missing_message_count, message_count, input_tokens) VALUES
    ('many', '2025-03-10 09:00:00+00', '2025-03-10 09:30:00+00', 'completed', NULL, 5, 2, 99, 99),
    ('later message', '2025-03-10 09:00:00+00', '2025-03-10 09:30:00+00', 'completed', NULL, 0, 0, 0, NULL),
    ('empty', NULL, NULL, 'none', NULL, 0, 0, 7, 7),
    ('orphaned', NULL, NULL, 'orphaned', NULL, 0, 0, 0, NULL),
    ('deleted, bubbles remain', '2025-03-10 09:00:00+00', NULL, 'orphaned', '2025-06-01 00:00:00+00', 1, 0, 0, NULL),
    ('deleted', '2025-03-10 09:00:00+00', NULL, 'completed', '2025-06-01 00:00:00+00', 1, 0, 1, 3);
INSERT INTO messages (conversation_id, message_id, role, is_listed, position, input_tokens, output_tokens, created_at, created_at_source, deleted_at) VALUES
    ('many', 'm1', 'user', true, 0, NULL, NULL, '2025-03-10 09:01:00+00', 'header', NULL),
    ('many', 'm2', 'assistant', true, 1, 100, 0, '2025-03-10 09:02:00+00', 'timing', NULL),
    ('many', 'm3', 'assistant', true, 2, 9000000000000000000, NULL, '2025-03-10 09:02:00+00', 'previous', NULL),
    ('many', 'm4', 'unknown', false, 3, NULL, NULL, '2025-03-10 10:00:00+00', 'conversation', NULL),
    ('many', 'm5', 'user', false, NULL, 7, 7, '2025-03-10 11:00:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('later message', 'm1', 'user', true, 0, NULL, NULL, '2025-03-12 00:00:00+00', 'message', NULL),
    ('orphaned', 'm1', 'user', false, 0, NULL, NULL, NULL, NULL, NULL),
    ('deleted, bubbles remain', 'm1', 'assistant', false, 0, 1, 2, '2025-03-10 09:07:00+00', 'message', NULL),
    ('deleted, bubbles remain', 'm2', 'assistant', false, NULL, 1, 2, '2025-03-10 09:08:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('deleted', 'm1', 'user', true, NULL, 3, 3, '2025-03-10 09:09:00+00', 'message', '2025-06-01 00:00:00+00');
INSERT INTO tool_calls (conversation_id, message_id, position, deleted_at) VALUES
    ('many', 'm2', 1, NULL), ('many', 'm3', 2, NULL), ('many', 'm5', NULL, '2025-06-01 00:00:00+00'),
    ('deleted', 'm1', NULL, '2025-06-01 00:00:00+00');
