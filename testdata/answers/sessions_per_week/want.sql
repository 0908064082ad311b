-- latest week first; what carries no time stands in a row without a week
SELECT week, project, sessions, conversations, subagents, messages, prompts, real_times FROM sessions_per_week;
--> 2025-03-17 00:00:00 | site | 0 | 0 | 0 | 1 | 0 | 1
--> 2025-03-17 00:00:00 | other | 1 | 1 | 0 | 0 | 0 | 0
--> 2025-03-10 00:00:00 | site | 3 | 3 | 1 | 6 | 3 | 4
--> NULL | NULL | 0 | 1 | 0 | 1 | 0 | 0
