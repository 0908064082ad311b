-- 30 and 15 cents in a third of the month are 90 and 45 in the whole
SELECT month, cost_cents, charged_cents, included_cents, max_mode_cents, input_tokens, cache_read_tokens, output_tokens, days, events, with_cost, expected_cost_cents, expected_charged_cents FROM billed_by_month;
--> 2026-06-01 00:00:00 | 30 | 15 | 12 | 18 | 11 | 3 | 10 | 2 | 2 | 2 | 90 | 45
--> 2026-05-01 00:00:00 | 40 | NULL | 40 | NULL | 100 | 90 | 5 | 1 | 1 | 1 | NULL | NULL
