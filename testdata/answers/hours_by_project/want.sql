-- site: 23:40 to 00:20, its second source once; from 23:45 on one of the others goes on, too. All three together: 23:40 to 00:30, 50 minutes, and not 40 + 40 + 10
SELECT project, active_ms, shared_ms, total_active_ms, periods FROM hours_by_project;
--> site | 2400000 | 2100000 | 3000000 | 2
--> third | 2400000 | 1800000 | 3000000 | 1
--> other | 600000 | 600000 | 3000000 | 2
--> NULL | NULL | NULL | 3000000 | 0
SELECT project, sessions, conversations, messages, prompts, last_active_at, real_times FROM hours_by_project;
--> site | 2 | 2 | 7 | 2 | 2025-03-11 15:00:00 | 6
--> third | 1 | 1 | 3 | 1 | 2025-03-11 00:30:00 | 3
--> other | 1 | 1 | 4 | 2 | 2025-03-13 09:00:00 | 3
--> NULL | 1 | 1 | 1 | 1 | NULL | 0
