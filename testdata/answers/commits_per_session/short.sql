-- three commits, one of them related, with 30 lines
FROM commits_per_session_short;
--> 2025-03-10 00:00:00 | p | 5 | 3 | 1 | 30
--> 2025-03-12 00:00:00 | p | 1 | 0 | 0 | NULL
