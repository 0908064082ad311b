-- three of four answers that name their model; of a tie the last by name
FROM model_mix_per_week_short;
--> 2025-05-12 00:00:00 | 0 | 0 | NULL | NULL
--> 2025-05-05 00:00:00 | 2 | 2 | sonnet | 50
--> 2025-04-07 00:00:00 | 0 | 0 | NULL | NULL
--> 2025-03-24 00:00:00 | 1 | 1 | gpt-5 | 100
--> 2025-03-10 00:00:00 | 2 | 2 | gpt-5 | 50
--> 2025-03-03 00:00:00 | 5 | 4 | gpt-5 | 75
