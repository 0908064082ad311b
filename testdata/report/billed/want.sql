SELECT CAST(day AS VARCHAR), project, model, events, with_tokens, with_cost, with_conversation, input_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, estimated_turns, estimated_with_cost, estimated_cost_cents
    FROM report.billed ORDER BY day, project, model;
--> 2026-05-01 | shop | m1 | 3 | 3 | 3 | 3 | 223 | 180 | 15 | 32.5 | 24 | 0 | 0 | NULL
--> 2026-05-01 | shop | m2 | 1 | 1 | 0 | 1 | 7 | NULL | 1 | NULL | NULL | 0 | 0 | NULL
--> 2026-05-02 | blog | m1 | 1 | 1 | 1 | 1 | 50 | 50 | 6 | 5 | 0 | 0 | 0 | NULL
--> 2026-05-02 | NULL | m1 | 1 | 1 | 1 | 0 | 2 | 1 | 1 | 99 | 99 | 0 | 0 | NULL
--> 2026-05-02 | NULL | m2 | 1 | 1 | 1 | 0 | 1 | 0 | 1 | 1 | 1 | 0 | 0 | NULL
--> 2026-05-03 | NULL | m3 | 0 | 0 | 0 | 0 | NULL | NULL | NULL | NULL | NULL | 1 | 1 | 7
SET TimeZone = 'Asia/Kathmandu';
SELECT CAST(day AS VARCHAR), events FROM report.billed WHERE model = 'm1' AND project = 'shop';
--> 2026-05-01 | 3
