-- the second session has neither total
FROM session_lines_short;
--> 2025-03-10 00:00:00 | p | 0.34 | 3 | 40 | 10
--> 2025-03-10 00:00:00 | p | 0 | 0 | NULL | NULL
