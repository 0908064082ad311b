SELECT model, prompts, known, median_ms, p95_ms, longest_ms, waited_ms, failed, aborted FROM waiting;
--> m1 | 4 | 2 | 15000 | 19500 | 20000 | 30000 | 1 | 0
--> m2 | 1 | 0 | NULL | NULL | NULL | NULL | 0 | 1
--> NULL | 1 | 0 | NULL | NULL | NULL | NULL | 0 | 0
