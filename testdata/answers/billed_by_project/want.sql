-- nobody's: 99 and 1 cents, and the chat's estimate: 3 tokens at 1 cent and 2 at 2; shop: 180 of 403 tokens of input with a split were read from the cache
SELECT project, conversations, CAST(first_at AS VARCHAR)[:16] AS first, events, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cache_share, cost_cents, charged_cents, with_tokens, with_cost,
    estimated_turns, estimated_input_tokens, estimated_output_tokens, estimated_cost_cents, estimated_with_cost, unassigned FROM billed_by_project;
--> NULL | 2 | 2026-05-02 12:00 | 2 | 2 | 1 | 1 | 2 | 0.25 | 100 | 100 | 2 | 2 | 1 | 3 | 2 | 7 | 1 | 1
--> shop | 2 | 2026-05-01 10:04 | 4 | 210 | 20 | 180 | 16 | 0.4467 | 32.5 | 24 | 4 | 3 | 0 | NULL | NULL | NULL | 0 | 0
--> blog | 1 | 2026-05-02 09:15 | 1 | 50 | 0 | 50 | 6 | 0.5 | 5 | 0 | 1 | 1 | 0 | NULL | NULL | NULL | 0 | 0
