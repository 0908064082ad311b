SELECT program, calls, outcome_known, failed, failure_rate, decision_known, rejected, rejection_rate FROM shell_commands;
--> npm | 6 | 4 | 3 | 0.75 | 2 | 1 | 0.5
--> rm | 2 | 0 | 0 | NULL | 2 | 2 | 1
--> ls | 2 | 2 | 0 | 0 | 1 | 0 | 0
--> NULL | 1 | 0 | 0 | NULL | 0 | 0 | NULL

-- the most frequent code first; the example is the latest that failed, else the latest rejected, else the latest
SELECT program, exit_code_known, exit_codes, last_used_at, example_command FROM shell_commands;
--> npm | 4 | 1 (2), 127 (1) | 2025-03-10 09:05:00 | npm run y
--> rm | 0 | NULL | 2025-03-10 09:07:00 | rm b
--> ls | 0 | NULL | 2025-03-10 09:08:00 | ls
--> NULL | 0 | NULL | 2025-03-10 09:09:00 | NULL
