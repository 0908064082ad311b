-- m1 of shop: 180 of 400 tokens of input were read from the cache; an event without a split says nothing of its share
SELECT CAST(day AS VARCHAR) AS day, project, project_uri, model, events, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cache_share, cost_cents, charged_cents, with_tokens, with_cost, with_conversation,
    left_out, estimated_turns, estimated_input_tokens, estimated_output_tokens, estimated_cost_cents, estimated_with_cost FROM billed_by_day;
--> 2026-05-02 | shop | file:///shop | m1 | 1 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0 | 1 | 0 | 0 | NULL | NULL | NULL | 0
--> 2026-05-01 | NULL | NULL | m1 | 1 | 1 | 1 | 1 | 1 | 0.3333 | 99 | 99 | 1 | 1 | 0 | 0 | 0 | NULL | NULL | NULL | 0
--> 2026-05-01 | shop | file:///shop | m1 | 2 | 200 | 20 | 180 | 11 | 0.45 | 12.5 | 4 | 2 | 2 | 2 | 1 | 0 | NULL | NULL | NULL | 0
--> 2026-05-01 | shop | file:///shop | m2 | 1 | 7 | NULL | NULL | 1 | NULL | NULL | NULL | 1 | 0 | 1 | 0 | 0 | NULL | NULL | NULL | 0
