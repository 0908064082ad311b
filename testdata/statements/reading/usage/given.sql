INSERT INTO usage_events (event_id, occurred_at, is_counted, origin, join_method, file, load_id) VALUES ('a', '2026-05-01 10:00:00+00', true, 'csv', 'none', 'f', 1), ('b', '2026-05-03 10:00:00+00', false, 'csv', 'none', 'f', 1),
    ('c', NULL, true, 'api', 'id', 'f', 1), ('d', NULL, true, 'csv', 'time', 'f', 1), ('e', '2026-05-02 10:00:00+00', true, 'csv', 'none', 'f', 1);
INSERT INTO turn_estimates (source_id, conversation_id, message_id, method, cost_cents, load_id) VALUES ('s1', 'a', 'm', 'counted', 2, 1), ('s1', 'a', 'n', 'counted', NULL, 1);
