SELECT project, started_at, conversations, prompts, commits, related_commits, lines_known, lines_added, lines_removed FROM commits_per_session;
--> p | 2025-03-10 09:00:00 | 2 | 5 | 3 | 1 | 1 | 30 | 4
--> p | 2025-03-12 09:00:00 | 1 | 1 | 0 | 0 | 0 | NULL | NULL
