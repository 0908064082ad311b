-- One conversation, and an export of a team: ann asked, bob's request was counted three seconds later. Ann's second request names the conversation. Ann uses the warehouse.
SET VARIABLE usage_user = 'ann';
INSERT INTO conversations (conversation_id, created_at) VALUES ('c', '2026-06-01 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, model, created_at, created_at_source) VALUES
    ('c', 'c1', 0, 1, 'user', NULL, '2026-06-01 09:00:00+00', 'message'), ('c', 'c2', 1, 1, 'assistant', 'm', '2026-06-01 09:01:00+00', 'message');
INSERT INTO usage_records (file, event_id, origin, line, occurred_at, model, person, conversation_id, output_tokens, cost_cents) VALUES
    ('team.csv', 't1', 'csv', 2, '2026-06-01 09:01:01+00', 'm', 'ann', NULL, 4, 10), ('team.csv', 't2', 'csv', 3, '2026-06-01 09:01:04+00', 'm', 'bob', NULL, 5, 900),
    ('own.csv', 'o1', 'csv', 2, '2026-06-01 09:01:05+00', 'm', NULL, NULL, 6, 20),
    ('page.json', 'p1', 'api', 1, '2026-06-01 09:01:06+00', 'm', 'ann', 'c', 7, 1), ('page.json', 'p2', 'api', 1, '2026-06-01 09:01:07+00', 'm', 'bob', 'c', 8, 2);
INSERT INTO messages (conversation_id, message_id, position, turn, role, model, created_at, created_at_source) VALUES
    ('c', 'c3', 2, 2, 'user', NULL, '2026-06-01 10:00:00+00', 'message'), ('c', 'c4', 3, 2, 'assistant', 'm', '2026-06-01 10:01:00+00', 'message');
INSERT INTO usage_records (file, event_id, origin, line, occurred_at, model, person, output_tokens, cost_cents) VALUES
    ('team.csv', 't3', 'csv', 4, '2026-06-01 10:01:01+00', 'm', 'ann', 4, 10), ('team.csv', 't4', 'csv', 5, '2026-06-01 10:01:04+00', 'm', 'bob', 5, 900), ('own.csv', 'o2', 'csv', 3, '2026-06-01 10:01:05+00', 'm', NULL, 6, 20);
