-- Two events of a conversation with two models, one of nobody, one that failed for nothing, one without tokens; one without a split.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id, project, project_uri) VALUES ('a', 'shop', 'file:///shop');
INSERT INTO usage_records (event_id, conversation_id, occurred_at, model, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, is_counted, origin) VALUES
    ('1', 'a', '2026-05-01 10:00:00+00', 'm1', 100, 20, 80, 5, 10, 4, true, 'api'), ('2', 'a', '2026-05-01 11:00:00+00', 'm1', 100, 0, 100, 6, 2.5, NULL, true, 'api'),
    ('3', 'a', '2026-05-01 12:00:00+00', 'm2', 7, NULL, NULL, 1, NULL, NULL, true, 'api'), ('4', NULL, '2026-05-01 12:00:00+00', 'm1', 1, 1, 1, 1, 99, 99, true, 'csv'),
    ('5', 'a', '2026-05-01 12:00:00+00', 'm1', 9, 9, 9, 9, 9, 9, false, 'api'), ('6', 'a', '2026-05-02 12:00:00+00', 'm1', NULL, NULL, NULL, NULL, NULL, NULL, true, 'api');
