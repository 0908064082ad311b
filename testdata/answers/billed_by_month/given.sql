-- In May 40 cents, in June 30, of which 12 were included and 18 in Max mode; 15 of them were charged. The last run came after 10 of June's 30 days.
INSERT INTO sources (source_id, last_seen_at) VALUES ('s1', '2026-06-11 00:00:00+00'), ('old', '2026-05-20 00:00:00+00');
INSERT INTO usage_records (event_id, occurred_at, model, kind, max_mode, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, is_counted, origin) VALUES
    ('1', '2026-05-19 10:00:00+00', 'm1', 'Included', false, 10, 0, 90, 5, 40, NULL, true, 'csv'), ('2', '2026-06-02 10:00:00+00', 'm1', 'Included', NULL, 1, 2, 3, 4, 12, 0, true, 'csv'),
    ('3', '2026-06-09 10:00:00+00', 'm2', 'On-Demand', true, 5, NULL, NULL, 6, 18, 15, true, 'csv');
