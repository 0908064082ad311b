-- Of m1 three prompts: worth 10 and 20 cents, the second charged, the third unknown; of m2 one worth 5.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id) VALUES ('a'), ('b');
INSERT INTO messages (conversation_id, message_id, position, turn, role, text, model, request_id, created_at) VALUES
    ('a', 'u1', 0, 1, 'user', 'One', NULL, 'r1', '2026-05-01 10:00:00+00'), ('a', 'a1', 1, 1, 'assistant', 'x', 'm1', NULL, '2026-05-01 10:00:10+00'),
    ('a', 'u2', 2, 2, 'user', 'Two', NULL, 'r2', '2026-05-01 11:00:00+00'), ('a', 'a2', 3, 2, 'assistant', 'x', 'm1', NULL, '2026-05-01 11:00:20+00'),
    ('a', 'u3', 4, 3, 'user', 'Three', NULL, NULL, '2026-05-01 12:00:00+00'), ('a', 'a3', 5, 3, 'assistant', 'x', 'm1', NULL, '2026-05-01 12:01:39+00'),
    ('b', 'u1', 0, 1, 'user', 'Four', NULL, 'r4', '2026-05-02 10:00:00+00'), ('b', 'b1', 1, 1, 'assistant', 'x', 'm2', NULL, '2026-05-02 10:00:30+00');
INSERT INTO usage_records (event_id, request_id, conversation_id, occurred_at, model, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, is_counted, origin) VALUES
    ('1', 'r1', 'a', '2026-05-01 10:00:05+00', 'm1', 100, 0, 0, 10, 10, NULL, true, 'api'), ('2', 'r2', 'a', '2026-05-01 11:00:05+00', 'm1', 200, 50, 50, 30, 20, 20, true, 'api'),
    ('4', 'r4', 'b', '2026-05-02 10:00:05+00', 'm2', 1, 0, 0, 1, 5, 0, true, 'api');
