-- count_tokens counts words here. Conversation a: a turn of 2 words of prompt, 3 of answer, 4 of thinking, a call with 2 words of arguments and 5 of result; a second turn of 1 and 1; a third that has
-- an event; a fourth without an answer. Of b the store has tokens, of one turn only those of output. Conversation c has a small window; d is a fork of a; e is a copy in another source; f has a model
-- without a price, g one that nobody knows.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, model, context_token_limit, created_at, deleted_at) VALUES ('s1', 'a', 'A', 'm1', NULL, '2026-05-01 09:00:00+00', NULL), ('s1', 'b', 'B', 'm1-low', NULL, '2026-04-01 09:00:00+00', NULL),
    ('s1', 'c', 'C', 'm1', 4, '2026-05-01 09:00:00+00', NULL), ('s1', 'd', 'D', 'm1', NULL, '2026-05-03 09:00:00+00', NULL), ('s1', 'eeeeeeee-0000-4000-8000-000000000001', 'E', 'm1', NULL, '2026-05-01 09:00:00+00', NULL),
    ('s2', 'eeeeeeee-0000-4000-8000-000000000001', 'E', 'm1', NULL, '2026-05-01 09:00:00+00', NULL), ('s1', 'f', 'F', 'odd', NULL, '2026-05-01 09:00:00+00', NULL), ('s1', 'g', 'G', NULL, NULL, '2026-05-01 09:00:00+00', '2026-06-01 00:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, text, thinking, model, request_id, is_repeat, is_simulated, input_tokens, output_tokens, created_at, deleted_at) VALUES
    ('s1', 'a', 'u1', 0, 1, 'user', 'Make it', NULL, NULL, 'r1', false, false, NULL, NULL, '2026-05-01 10:00:00+00', NULL), ('s1', 'a', 'a1', 1, 1, 'assistant', 'It is made', 'How is it made', 'm1-high', NULL, false, false, NULL, NULL, '2026-05-01 10:01:00+00', NULL),
    ('s1', 'a', 'x1', NULL, 1, 'assistant', 'This is gone', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:01:00+00', '2026-05-02 00:00:00+00'), ('s1', 'a', 'p1', 2, 1, 'user', 'Go on', NULL, NULL, NULL, false, true, NULL, NULL, '2026-05-01 10:02:00+00', NULL),
    ('s1', 'a', 'u2', 3, 2, 'user', 'Better', NULL, NULL, 'r2', false, false, NULL, NULL, '2026-05-02 10:00:00+00', NULL), ('s1', 'a', 'a2', 4, 2, 'assistant', 'Done', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-02 10:01:00+00', NULL),
    ('s1', 'a', 'u3', 5, 3, 'user', 'Best', NULL, NULL, 'r3', false, false, NULL, NULL, '2026-05-02 11:00:00+00', NULL), ('s1', 'a', 'a3', 6, 3, 'assistant', 'Done', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-02 11:01:00+00', NULL),
    ('s1', 'a', 'u4', 7, 4, 'user', 'Hm', NULL, NULL, 'r4', false, false, NULL, NULL, '2026-05-02 12:00:00+00', NULL),
    ('s1', 'b', 'u1', 0, 1, 'user', 'Many words are here', NULL, NULL, NULL, false, false, NULL, NULL, '2026-04-01 10:00:00+00', NULL), ('s1', 'b', 'b1', 1, 1, 'assistant', 'Yes', NULL, NULL, NULL, false, false, 1000, 10, '2026-04-01 10:01:00+00', NULL),
    ('s1', 'b', 'b2', 2, 1, 'assistant', 'No', NULL, NULL, NULL, false, false, 500, 5, '2026-04-01 10:02:00+00', NULL), ('s1', 'b', 'u2', 3, 2, 'user', 'So', NULL, NULL, NULL, false, false, NULL, NULL, '2026-04-01 10:03:00+00', NULL),
    ('s1', 'b', 'b3', 4, 2, 'assistant', 'So', NULL, NULL, NULL, false, false, NULL, 7, '2026-04-01 10:04:00+00', NULL),
    ('s1', 'c', 'u1', 0, 1, 'user', 'One two three four five', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:00:00+00', NULL), ('s1', 'c', 'c1', 1, 1, 'assistant', 'Six', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:01:00+00', NULL),
    ('s1', 'd', 'u1', 0, 1, 'user', 'Make it', NULL, NULL, 'r1', true, false, NULL, NULL, '2026-05-01 10:00:00+00', NULL), ('s1', 'd', 'a1', 1, 1, 'assistant', 'It is made', NULL, NULL, NULL, true, false, NULL, NULL, '2026-05-01 10:01:00+00', NULL),
    ('s1', 'eeeeeeee-0000-4000-8000-000000000001', 'u1', 0, 1, 'user', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:00:00+00', NULL), ('s1', 'eeeeeeee-0000-4000-8000-000000000001', 'e1', 1, 1, 'assistant', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:01:00+00', NULL),
    ('s2', 'eeeeeeee-0000-4000-8000-000000000001', 'u1', 0, 1, 'user', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:00:00+00', NULL), ('s2', 'eeeeeeee-0000-4000-8000-000000000001', 'e1', 1, 1, 'assistant', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:01:00+00', NULL),
    ('s1', 'f', 'u1', 0, 1, 'user', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:00:00+00', NULL), ('s1', 'f', 'f1', 1, 1, 'assistant', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, '2026-05-01 10:01:00+00', NULL),
    ('s1', 'g', 'u1', NULL, 1, 'user', 'Hi there', NULL, NULL, NULL, false, false, NULL, NULL, NULL, '2026-06-01 00:00:00+00'), ('s1', 'g', 'g1', NULL, 1, 'assistant', 'Hi', NULL, NULL, NULL, false, false, NULL, NULL, NULL, '2026-06-01 00:00:00+00');
UPDATE messages SET created_at_source = NULL WHERE created_at IS NULL;
INSERT INTO tool_calls (conversation_id, message_id, position, raw_args, params, result) VALUES ('a', 'a1', 1, 'two words', '{"not":"counted"}', '"it has five words here"');
INSERT INTO usage_records (event_id, request_id, conversation_id, occurred_at, model, fresh_input_tokens, output_tokens, origin) VALUES ('1', 'r3', 'a', '2026-05-02 11:01:00+00', 'm1', 5, 5, 'api');
-- Prices of a million tokens, so that one costs a cent or more. The price of m1 went up on 1 May; m1-high has one of its own since 2 May, and none before.
INSERT INTO model_prices (model, valid_from, input_usd, output_usd) VALUES ('M1', NULL, 10000, 20000), ('m1', '2026-05-01', 30000, 40000), ('m1-high', '2026-05-02', 50000, 60000), ('m1-h', NULL, 1, 1), ('od', NULL, 1, 1), ('odd', '2026-06-01', 1, 1);
-- h: a branch that was left (no header names it), a deleted call, and a compaction, after which only what follows is read; an event of its last turn says nothing of tokens or cost.
INSERT INTO conversations (conversation_id, created_at) VALUES ('h', '2026-05-01 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, is_listed, role, kind, text, request_id, created_at) VALUES
    ('h', 'u1', 0, 1, true, 'user', 'text', 'One two', NULL, '2026-05-01 10:00:00+00'), ('h', 'h1', 1, 1, true, 'assistant', 'tool_call', NULL, NULL, '2026-05-01 10:01:00+00'),
    ('h', 'u2', 2, 2, true, 'user', 'text', 'Three', NULL, '2026-05-01 11:00:00+00'), ('h', 'h2', 3, 2, true, 'assistant', 'compaction', 'So far', NULL, '2026-05-01 11:01:00+00'),
    ('h', 'u3', 4, 3, true, 'user', 'text', 'Four', 'rh3', '2026-05-01 12:00:00+00'), ('h', 'h3', 5, 3, true, 'assistant', 'text', 'Five', NULL, '2026-05-01 12:01:00+00'),
    ('h', 'u0', 6, 4, false, 'user', 'text', 'Left one two', NULL, '2026-05-01 09:00:00+00'), ('h', 'h0', 7, 4, false, 'assistant', 'text', 'Left', NULL, '2026-05-01 09:01:00+00');
INSERT INTO tool_calls (conversation_id, message_id, call_index, position, raw_args, result, deleted_at) VALUES ('h', 'h1', 0, 1, 'ls', '"a b"', NULL), ('h', 'h1', 1, NULL, 'much more', '"c d e f"', '2026-06-01 00:00:00+00');
INSERT INTO usage_records (event_id, request_id, conversation_id, occurred_at, origin) VALUES ('2', 'rh3', 'h', '2026-05-01 12:01:00+00', 'api');
