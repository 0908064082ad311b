-- 1, 2 and 3 May 2026 are the end of one week
SELECT week, cost_cents, charged_cents, input_tokens, cache_read_tokens, output_tokens, days, events, with_tokens, with_cost, estimated_cost_cents FROM billed_by_week;
--> 2026-04-27 00:00:00 | 137.5 | 124 | 514 | 231 | 24 | 3 | 7 | 7 | 6 | 7
