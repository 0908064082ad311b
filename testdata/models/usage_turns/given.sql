-- a: a prompt that was sent before the event of the one before it was counted: p1 has the counts of h1, so it is of u1, and u2 keeps its own. b: the second turn, which a hook tells of, is deleted; and b-h3 names a request
-- that no turn has. c: a hook that knows the output alone is not what a row with all counts says; c-h2 and c-c2 differ by less than a hundredth, c-h3 and c-c3 by more. e: a row of another model.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-01 00:00:00+00'), ('u1', '2025-06-01 00:00:00+00');
INSERT INTO conversations (conversation_id, created_at) VALUES ('a', '2025-03-10 09:00:00+00'), ('b', '2025-03-11 09:00:00+00'), ('c', '2025-03-12 09:00:00+00'), ('e', '2025-03-13 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, request_id, model, created_at, deleted_at) VALUES
    ('a', 'u1', 0, 1, 'user', 'r1', NULL, '2025-03-10 09:00:00+00', NULL), ('a', 'a1', 1, 1, 'assistant', NULL, 'm1', '2025-03-10 09:00:20.9+00', NULL),
    ('a', 'u2', 2, 2, 'user', 'r2', NULL, '2025-03-10 09:00:21+00', NULL), ('a', 'a2', 3, 2, 'assistant', NULL, 'm1', '2025-03-10 09:01:00+00', NULL),
    ('b', 'u1', 0, 1, 'user', 'rb1', NULL, '2025-03-11 09:00:00+00', NULL), ('b', 'a1', 1, 1, 'assistant', NULL, 'm1', '2025-03-11 09:01:00+00', NULL),
    ('b', 'u2', NULL, 2, 'user', 'rb2', NULL, '2025-03-11 10:00:00+00', '2025-06-01 00:00:00+00'), ('b', 'a2', NULL, 2, 'assistant', NULL, 'm1', '2025-03-11 10:01:00+00', '2025-06-01 00:00:00+00'),
    ('c', 'u1', 0, 1, 'user', 'rc1', NULL, '2025-03-12 09:00:00+00', NULL), ('c', 'a1', 1, 1, 'assistant', NULL, 'm1', '2025-03-12 09:01:00+00', NULL),
    ('c', 'u2', 2, 2, 'user', 'rc2', NULL, '2025-03-12 10:00:00+00', NULL), ('c', 'a2', 3, 2, 'assistant', NULL, 'm1', '2025-03-12 10:01:00+00', NULL),
    ('c', 'u3', 4, 3, 'user', 'rc3', NULL, '2025-03-12 11:00:00+00', NULL), ('c', 'a3', 5, 3, 'assistant', NULL, 'm1', '2025-03-12 11:01:00+00', NULL),
    ('e', 'u1', 0, 1, 'user', 're1', NULL, '2025-03-13 09:00:00+00', NULL), ('e', 'a1', 1, 1, 'assistant', NULL, 'm1', '2025-03-13 09:01:00+00', NULL);
INSERT INTO usage_records (file, event_id, origin, occurred_at, model, conversation_id, request_id, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, is_counted) VALUES
    ('hooks.jsonl', 'a-h1', 'hook', '2025-03-10 09:00:20.9+00', 'm1', 'a', 'r1', 100, 200, 300, 400, NULL, true), ('page.json', 'a-p1', 'api', '2025-03-10 09:00:21.4+00', 'm1', 'a', NULL, 100, 200, 300, 400, 5, true),
    ('page.json', 'a-p2', 'api', '2025-03-10 09:01:00.5+00', 'm1', 'a', NULL, 1, 2, 3, 4, 7, true),
    ('hooks.jsonl', 'b-h1', 'hook', '2025-03-11 09:01:00+00', 'm1', 'b', 'rb1', 1, 1, 1, 1, NULL, true), ('hooks.jsonl', 'b-h2', 'hook', '2025-03-11 10:01:00+00', 'm1', 'b', 'rb2', 2, 2, 2, 2, NULL, true),
    ('hooks.jsonl', 'b-h3', 'hook', '2025-03-11 10:05:00+00', 'm1', 'b', 'rb3', 3, 3, 3, 3, NULL, true),
    ('hooks.jsonl', 'c-h1', 'hook', '2025-03-12 09:01:00+00', 'm1', 'c', 'rc1', NULL, NULL, NULL, 10, NULL, true), ('usage.csv', 'c-c1', 'csv', '2025-03-12 09:01:01+00', 'm1', NULL, NULL, 1000, 2000, 3000, 10, 50, true),
    ('hooks.jsonl', 'c-h2', 'hook', '2025-03-12 10:01:00+00', 'm1', 'c', 'rc2', 1000, 2000, 3000, 400, NULL, true), ('usage.csv', 'c-c2', 'csv', '2025-03-12 10:01:01+00', 'm1', NULL, NULL, 1001, 2000, 3000, 401, 6, true),
    ('hooks.jsonl', 'c-h3', 'hook', '2025-03-12 11:01:00+00', 'm1', 'c', 'rc3', 1000, 2000, 3000, 400, NULL, true), ('usage.csv', 'c-c3', 'csv', '2025-03-12 11:01:01+00', 'm1', NULL, NULL, 1001, 2000, 3000, 405, 8, true),
    ('hooks.jsonl', 'e-h1', 'hook', '2025-03-13 09:01:00+00', 'm1', 'e', 're1', 5, 6, 7, 8, NULL, true), ('usage.csv', 'e-c1', 'csv', '2025-03-13 09:01:01+00', 'm2', NULL, NULL, 5, 6, 7, 8, 9, true);
