-- Three generations of an export: of August 2025 (only the total), of September (read without its output by an earlier version) and a later one.
INSERT INTO usage_records (file, written_at, event_id, line, occurred_at, model, person, kind, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, total_tokens, cost_cents, max_mode, is_counted) VALUES
    ('aug.csv', '2025-08-20 00:00:00+00', 'a1', 2, '2025-08-10 09:00:00+00', 'm', 'ann', 'Included in Pro', NULL, NULL, NULL, NULL, 10, 3, false, true),
    ('sep.csv', '2025-09-20 00:00:00+00', 's1', 2, '2025-08-10 09:00:00+00', 'm', NULL, 'Usage-based', 3, 1, 2, NULL, 10, 4, NULL, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n1', 2, '2025-08-10 09:00:00+00', 'm', NULL, 'Included', 3, 1, 2, 4, 10, NULL, NULL, true),
    -- two equal rows in each file; another model at that time
    ('sep.csv', '2025-09-20 00:00:00+00', 's2', 3, '2025-08-10 10:00:00+00', 'm', NULL, 'Usage-based', 1, 1, 1, NULL, NULL, 5, NULL, true),
    ('sep.csv', '2025-09-20 00:00:00+00', 's3', 4, '2025-08-10 10:00:00+00', 'm', NULL, 'Usage-based', 1, 1, 1, NULL, NULL, 5, NULL, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n2', 3, '2025-08-10 10:00:00+00', 'm', NULL, 'On-Demand', 1, 1, 1, 1, NULL, 6, NULL, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n3', 4, '2025-08-10 10:00:00+00', 'm', NULL, 'On-Demand', 1, 1, 1, 1, NULL, 6, NULL, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n4', 5, '2025-08-10 10:00:00+00', 'o', NULL, 'Free', 1, 1, 1, 1, NULL, NULL, NULL, true),
    -- two rows of one time: their totals say which is which, in whatever order they are
    ('aug.csv', '2025-08-20 00:00:00+00', 'a5', 5, '2025-08-10 11:00:00+00', 'm', 'ann', 'Included in Pro', NULL, NULL, NULL, NULL, 12, NULL, false, true),
    ('aug.csv', '2025-08-20 00:00:00+00', 'a6', 6, '2025-08-10 11:00:00+00', 'm', 'ann', 'Included in Pro', NULL, NULL, NULL, NULL, 11, NULL, true, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n5', 6, '2025-08-10 11:00:00+00', 'm', NULL, 'Included', 3, 1, 2, 5, 11, NULL, NULL, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n6', 7, '2025-08-10 11:00:00+00', 'm', NULL, 'Included', 3, 1, 2, 6, 12, NULL, NULL, true),
    -- a row that failed has no counts, and is not the other one of its file
    ('sep.csv', '2025-09-20 00:00:00+00', 's7', 7, '2025-08-10 12:00:00+00', 'm', NULL, 'Errored, Not Charged', NULL, NULL, NULL, NULL, NULL, NULL, NULL, false),
    ('new.csv', '2026-01-01 00:00:00+00', 'n7', 8, '2025-08-10 12:00:00+00', 'm', NULL, 'Errored, No Charge', 0, 0, 0, 0, 0, NULL, false, false),
    ('new.csv', '2026-01-01 00:00:00+00', 'n8', 9, '2025-08-10 12:00:00+00', 'm', NULL, 'User API Key', 3, 1, 2, 4, 10, NULL, false, true),
    ('sep.csv', '2025-09-20 00:00:00+00', 's8', 8, '2025-08-10 12:00:00+00', 'm', NULL, 'Usage-based', 3, 1, 2, NULL, 10, 7, NULL, true),
    -- the same counts of two persons, and of nobody
    ('aug.csv', '2025-08-20 00:00:00+00', 'a9', 9, '2025-08-10 13:00:00+00', 'm', 'ann', 'Included in Pro', 1, 1, 1, 1, NULL, NULL, NULL, true),
    ('bob.csv', '2025-08-21 00:00:00+00', 'b9', 9, '2025-08-10 13:00:00+00', 'm', 'bob', 'Included in Pro', 1, 1, 1, 1, NULL, NULL, NULL, true),
    ('new.csv', '2026-01-01 00:00:00+00', 'n9', 10, '2025-08-10 13:00:00+00', 'm', NULL, 'Free credit', 1, 1, 1, 1, NULL, NULL, NULL, true);
-- An earlier version read 1.000 as 1; the file says now that it cannot be read.
INSERT INTO usage_records (file, written_at, event_id, line, occurred_at, model, fresh_input_tokens, output_tokens, deleted_at) VALUES
    ('dots.csv', NULL, 'd1', 2, '2025-08-11 09:00:00+00', 'm', 1, 7, '2025-09-01 00:00:00+00'), ('dots.csv', '2025-08-21 00:00:00+00', 'd2', 2, '2025-08-11 09:00:00+00', 'm', NULL, 7, NULL);
-- The API names its conversation and has neither max mode nor a kind that is known; the export has both. A hook tells of a turn; its kind and its max mode are in the export.
INSERT INTO conversations (conversation_id, created_at) VALUES ('c', '2025-08-12 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, request_id, model, created_at, created_at_source) VALUES
    ('c', 'c1', 0, 1, 'user', 'r1', NULL, '2025-08-12 09:00:00+00', 'message'), ('c', 'c2', 1, 1, 'assistant', 'r1', 'm', '2025-08-12 09:01:00+00', 'message');
INSERT INTO usage_records (file, event_id, origin, line, occurred_at, model, kind, conversation_id, request_id, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, max_mode) VALUES
    ('hooks.jsonl', 'h1', 'hook', 1, '2025-08-12 09:01:01+00', 'm', 'completed', 'c', 'r1', 30, 1, 2, 40, NULL, NULL),
    ('export.csv', 'e1', 'csv', 2, '2025-08-12 09:01:02+00', 'm', 'On-Demand', NULL, NULL, 30, 1, 2, 40, 9, true),
    ('page.json', 'p1', 'api', 1, '2025-08-12 10:00:00+00', 'm', 'USAGE_EVENT_KIND_NEW', 'elsewhere', NULL, 50, 0, 0, 60, 8, NULL),
    ('export.csv', 'e2', 'csv', 3, '2025-08-12 10:00:00+00', 'm', 'Included', NULL, NULL, 50, 0, 0, 60, NULL, false),
    ('hooks.jsonl', 'h2', 'hook', 2, '2025-08-12 11:00:00+00', 'm', 'completed', 'lost', 'r2', 70, 1, 2, 80, NULL, NULL);
