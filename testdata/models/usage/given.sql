-- Two turns of a, one of b, a fork f of a, two conversations x and y that worked with m3 at once, a cloud agent; and what hooks, the API and exports say.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-01 00:00:00+00'), ('u1', '2025-06-01 00:00:00+00');
INSERT INTO conversations (conversation_id, created_at) VALUES ('a', '2025-03-10 09:00:00+00'), ('b', '2025-03-10 09:00:00+00'), ('f', '2025-03-10 11:00:00+00'), ('x', '2025-03-10 15:00:00+00'), ('y', '2025-03-10 15:00:00+00'),
    ('bc-1', '2025-03-10 16:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, request_id, model, created_at) VALUES
    ('a', 'u1', 0, 1, 'user', 'r1', NULL, '2025-03-10 09:00:00+00'), ('a', 'a1', 1, 1, 'assistant', 'r1', 'm1', '2025-03-10 09:00:20+00'),
    ('a', 'u2', 2, 2, 'user', 'r2', NULL, '2025-03-10 10:00:00+00'), ('a', 'a2', 3, 2, 'assistant', NULL, 'm1', '2025-03-10 10:01:00+00'),
    ('b', 'b1', 0, 1, 'user', NULL, NULL, '2025-03-10 09:00:10+00'), ('b', 'b2', 1, 1, 'assistant', NULL, 'm2', '2025-03-10 09:05:00+00'),
    ('f', 'f1', 0, 1, 'user', 'r1', NULL, '2025-03-10 11:00:00+00'), ('f', 'f2', 1, 1, 'assistant', 'r1', 'm1', '2025-03-10 11:00:20+00'),
    ('x', 'x1', 0, 1, 'user', NULL, NULL, '2025-03-10 15:00:00+00'), ('x', 'x2', 1, 1, 'assistant', NULL, 'm3', '2025-03-10 15:01:00+00'),
    ('y', 'y1', 0, 1, 'user', NULL, NULL, '2025-03-10 15:00:30+00'), ('y', 'y2', 1, 1, 'assistant', NULL, 'm3', '2025-03-10 15:02:00+00'),
    ('bc-1', 'k1', 0, 1, 'user', NULL, NULL, '2025-03-10 16:00:00+00');
INSERT INTO usage_records (file, event_id, origin, occurred_at, model, conversation_id, request_id, cloud_agent_id, output_tokens, is_counted, deleted_at) VALUES
    ('hooks.jsonl', 'h1', 'hook', NULL, 'm1', 'a', 'r1', NULL, 10, true, NULL), ('hooks.old.jsonl', 'h1', 'hook', NULL, 'm1', 'a', 'r1', NULL, 10, true, '2025-06-03 00:00:00+00'),
    ('page.json', 'p1', 'api', '2025-03-10 10:00:30+00', 'm1', 'a', NULL, NULL, 20, true, NULL),
    ('page.json', 'p2', 'api', '2025-03-10 09:00:25+00', 'm1', 'a', NULL, NULL, 10, true, NULL),
    ('page.json', 'p3', 'api', '2025-03-10 08:00:00+00', 'm1', 'a', NULL, NULL, 1, true, NULL),
    ('page.json', 'p4', 'api', '2025-03-10 08:00:00+00', 'm1', 'nowhere', NULL, NULL, 2, true, NULL),
    ('usage.csv', 'c1', 'csv', '2025-03-10 09:06:00+00', 'm2', NULL, NULL, NULL, 30, true, NULL),
    ('usage.csv', 'c2', 'csv', '2025-03-10 09:00:25+00', 'm1', NULL, NULL, NULL, 11, true, NULL),
    ('usage.csv', 'c3', 'csv', '2025-03-10 09:06:00.001+00', 'm2', NULL, NULL, NULL, 40, true, NULL),
    ('usage.csv', 'c4', 'csv', '2025-03-10 09:00:30+00', 'm2', NULL, NULL, NULL, 50, false, NULL),
    ('usage.csv', 'c5', 'csv', '2025-03-10 08:00:00+00', 'm1', NULL, NULL, NULL, 2, true, NULL),
    ('usage.csv', 'c6', 'csv', '2025-03-10 16:00:30+00', 'm4', NULL, NULL, 'bc-1', 60, true, NULL),
    ('usage.csv', 'c7', 'csv', '2025-03-10 15:00:40+00', 'm3', NULL, NULL, NULL, 70, true, NULL),
    ('usage.csv', 'c8', 'csv', '2025-03-10 15:00:10+00', 'm3', NULL, NULL, NULL, 80, true, NULL),
    ('usage.csv', 'c9', 'csv', '2025-03-10 16:00:30+00', 'm4', NULL, NULL, 'bc-2', 90, true, NULL),
    ('usage.csv', 'd1', 'csv', '2025-03-10 17:00:30+00', 'default', NULL, NULL, NULL, 100, true, NULL),
    ('usage.csv', 'e1', 'csv', '2025-03-10 18:00:00+00', 'm5', NULL, NULL, NULL, 110, true, '2025-06-03 00:00:00+00'), ('usage.csv', 'e2', 'csv', '2025-03-10 18:00:00+00', 'm5', NULL, NULL, NULL, 111, true, NULL),
    ('gone.csv', 'e3', 'csv', '2025-03-10 18:00:00+00', 'm5', NULL, NULL, NULL, 112, true, '2025-06-03 00:00:00+00');
-- one turn of a conversation that no store has, as a hook, the API and an export tell of it, and an event of the API of an earlier turn; the export's price of the turn that h1 tells of
INSERT INTO usage_records (file, event_id, origin, occurred_at, model, conversation_id, request_id, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, is_counted) VALUES
    ('hooks.jsonl', 'g1', 'hook', NULL, 'm1', 'lost', 'r9', 5, 6, 7, 8, NULL, NULL, true), ('page.json', 'g2', 'api', '2025-03-10 19:00:00+00', 'm1', 'lost', NULL, 5, 6, 7, 8, 1.5, NULL, true),
    ('usage.csv', 'g3', 'csv', '2025-03-10 19:00:00.1+00', 'm1', NULL, NULL, 5, 6, 7, 8, 1.5, NULL, true), ('page.json', 'g4', 'api', '2025-03-10 18:50:00+00', 'm1', 'lost', NULL, 5, 6, 7, 9, 2.5, NULL, true),
    ('page.json', 'p5', 'api', '2025-03-10 09:00:26+00', 'm1', 'a', NULL, 1, 1, 1, 1, 0.5, 0.25, true), ('usage.csv', 'c0', 'csv', '2025-03-10 09:00:26+00', 'm1', NULL, NULL, 1, 1, 1, 2, 7, 7, true);
-- an event in two exports: the later one knows the price
INSERT INTO usage_records (file, event_id, origin, occurred_at, model, output_tokens, cost_cents, kind) VALUES ('2025-03.csv', 'k1', 'csv', '2025-03-11 00:00:00+00', 'm9', 1, NULL, NULL), ('2025-04.csv', 'k1', 'csv', '2025-03-11 00:00:00+00', 'm9', 1, 3.5, 'On-Demand');
INSERT INTO conversations (conversation_id, created_at, model) VALUES ('d', '2025-03-10 17:00:00+00', 'auto');
INSERT INTO messages (conversation_id, message_id, position, turn, role, created_at) VALUES ('d', 'd0', 0, 1, 'user', '2025-03-10 17:00:00+00'), ('d', 'd1', 1, 1, 'assistant', '2025-03-10 17:00:20+00');
-- v has two turns with m6; its third prompt has no time. A hook tells of the first turn what two rows say together, and of the second turn; w1 has the counts of a lost turn's
-- hook, w2 those of nothing, both in the minutes of v's second turn. v5 may be of the second turn or of the third. z is at work with m7, and may be still when q2 is counted: the times of its last messages are not known.
INSERT INTO conversations (conversation_id, created_at, updated_at) VALUES ('v', '2025-03-12 09:00:00+00', NULL), ('q', '2025-03-12 12:00:00+00', NULL), ('z', '2025-03-12 12:00:00+00', '2025-03-12 13:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, is_listed, role, request_id, model, created_at, created_at_source) VALUES
    ('v', 'v1', 0, 1, true, 'user', 'rv1', NULL, '2025-03-12 09:00:00+00', 'message'), ('v', 'v1a', 1, 1, true, 'assistant', NULL, 'm6', '2025-03-12 09:10:00+00', 'message'),
    ('v', 'v2', 2, 2, true, 'user', 'rv2', NULL, '2025-03-12 10:00:00+00', 'message'), ('v', 'v2a', 3, 2, true, 'assistant', NULL, 'm6', '2025-03-12 10:10:00+00', 'message'),
    ('v', 'v3', 4, 3, true, 'user', NULL, NULL, '2025-03-12 10:10:00+00', 'previous'), ('v', 'v3a', 5, 3, true, 'assistant', NULL, 'm6', '2025-03-12 10:20:00+00', 'message'),
    ('q', 'q1', 0, 1, true, 'user', NULL, NULL, '2025-03-12 12:30:00+00', 'message'), ('q', 'q1a', 1, 1, true, 'assistant', NULL, 'm7', '2025-03-12 12:31:00+00', 'message'),
    ('z', 'z1', 0, 1, true, 'user', NULL, NULL, '2025-03-12 12:00:00+00', 'message'), ('z', 'z1a', 1, 1, true, 'assistant', NULL, 'm7', '2025-03-12 12:00:00+00', 'previous');
INSERT INTO usage_records (file, event_id, origin, occurred_at, model, conversation_id, request_id, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, is_counted) VALUES
    ('hooks.jsonl', 'v-h1', 'hook', '2025-03-12 09:10:01+00', 'm6', 'v', 'rv1', 30, 30, 30, 30, NULL, true), ('usage.csv', 'v-c1', 'csv', '2025-03-12 09:05:00+00', 'm6', NULL, NULL, 10, 10, 10, 10, 1, true),
    ('usage.csv', 'v-c2', 'csv', '2025-03-12 09:10:00.5+00', 'm6', NULL, NULL, 20, 20, 20, 20, 2, true),
    ('hooks.jsonl', 'v-h2', 'hook', '2025-03-12 10:10:00+00', 'm6', 'v', 'rv2', 7, 7, 7, 7, NULL, true), ('usage.csv', 'w1', 'csv', '2025-03-12 10:09:58+00', 'm6', NULL, NULL, 5, 5, 5, 5, 3.25, true),
    ('hooks.jsonl', 'w-h', 'hook', '2025-03-12 10:09:59+00', 'm6', 'gone', 'rw', 5, 5, 5, 5, NULL, true), ('usage.csv', 'w2', 'csv', '2025-03-12 10:09:59+00', 'm6', NULL, NULL, 9, 9, 9, 9, 4, true),
    ('page.json', 'v5', 'api', '2025-03-12 10:15:00+00', 'm6', 'v', NULL, 8, 8, 8, 8, 5, true), ('page.json', 'v6', 'api', '2025-03-12 10:20:01+00', 'm6', 'v', NULL, 6, 6, 6, 6, 6, true),
    ('usage.csv', 'q2', 'csv', '2025-03-12 12:30:30+00', 'm7', NULL, NULL, 3, 3, 3, 3, 7, true);
