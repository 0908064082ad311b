-- Two chats with the same bubbles under the same ids, and no request that says so. What is almost the same is no copy: another time, another text, an inherited time, or an id
-- that is a place in a list. b3 has another id and the tool call that a3 has. A subagent and a best-of-N copy repeat, and are no forks. s2 is a backup of s1.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-01 00:00:00+00'), ('s2', '2025-06-02 00:00:00+00');
INSERT INTO conversations (source_id, conversation_id, created_at) VALUES
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', '2025-03-10 09:00:00+00'), ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', '2025-03-10 09:00:00+00'),
    ('s1', 'b', '2025-03-11 09:00:00+00'), ('s1', 'c', '2025-03-12 09:00:00+00'), ('s1', 'almost', '2025-03-13 09:00:00+00'),
    ('s1', 'lists 1', '2025-03-10 09:00:00+00'), ('s1', 'lists 2', '2025-03-11 09:00:00+00'),
    ('s1', 'sub', '2025-03-14 09:00:00+00'), ('s1', 'try', '2025-03-10 09:00:00+00'),
    ('s1', 'of sub', '2025-03-15 09:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('sub', 'sub', 0, 'aaaaaaaa-0000-4000-8000-000000000001'), ('try', 'try', 3, 'aaaaaaaa-0000-4000-8000-000000000001');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, text, input_tokens, created_at, created_at_source) VALUES
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'Plan it', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002', 1, 1, 'assistant', NULL, 500, '2025-03-10 09:00:01+00', 'header'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000003', 2, 1, 'assistant', NULL, 7, '2025-03-10 09:00:02+00', 'tool'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'Plan it', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'b', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'Plan it', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'b', 'bbbbbbbb-0000-4000-8000-000000000002', 1, 1, 'assistant', NULL, 500, '2025-03-10 09:00:01+00', 'message'),
    ('s1', 'b', 'b3', 2, 1, 'assistant', NULL, 7, '2025-03-10 09:00:02+00', 'tool'),
    ('s1', 'b', 'bbbbbbbb-0000-4000-8000-000000000004', 3, 2, 'user', 'Do it', NULL, '2025-03-11 09:00:00+00', 'message'),
    ('s1', 'c', 'bbbbbbbb-0000-4000-8000-000000000004', 0, 1, 'user', 'Do it', NULL, '2025-03-11 09:00:00+00', 'message'),
    ('s1', 'c', 'bbbbbbbb-0000-4000-8000-000000000001', 1, 2, 'user', 'Plan it', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'almost', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'Plan it', NULL, '2025-03-10 09:00:00.001+00', 'message'),
    ('s1', 'almost', 'bbbbbbbb-0000-4000-8000-000000000002', 1, 1, 'assistant', 'So', 500, '2025-03-10 09:00:01+00', 'message'),
    ('s1', 'almost', 'bbbbbbbb-0000-4000-8000-000000000003', 2, 1, 'assistant', NULL, 7, '2025-03-10 09:00:02+00', 'previous'),
    ('s1', 'almost', 'bbbbbbbb-0000-4000-8000-000000000004', 3, 2, 'user', 'Do it', NULL, NULL, NULL),
    ('s1', 'lists 1', '#0', 0, 1, 'user', 'Hi', NULL, '2025-03-10 09:00:00+00', 'message'), ('s1', 'lists 2', '#0', 0, 1, 'user', 'Hi', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'lists 1', 'bbbbbbbb-0000-4000-8000-000000000005~1', 1, 2, 'user', 'Hi', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'lists 2', 'bbbbbbbb-0000-4000-8000-000000000005~1', 1, 2, 'user', 'Hi', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'sub', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'Plan it', NULL, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'sub', 'bbbbbbbb-0000-4000-8000-000000000006', 1, 1, 'assistant', 'Mine', NULL, '2025-03-14 09:00:00+00', 'message'),
    ('s1', 'of sub', 'bbbbbbbb-0000-4000-8000-000000000006', 0, 0, 'assistant', 'Mine', NULL, '2025-03-14 09:00:00+00', 'message'),
    ('s1', 'try', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'Plan it', NULL, '2025-03-10 09:00:00+00', 'message');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, tool_call_id) VALUES
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000003', 0, 'toolu_1'), ('s1', 'b', 'b3', 0, 'toolu_1'),
    -- a model that counts its calls: the time is another
    ('s1', 'lists 1', '#0', 0, 'call_0'), ('s1', 'b', 'bbbbbbbb-0000-4000-8000-000000000004', 0, 'call_0');
