SELECT repository, week, commits, with_conversation, related, conversation_share, related_share, files_known, merges, authors FROM commit_share;
--> /p | 2025-03-17 00:00:00 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 1
--> /p | 2025-03-10 00:00:00 | 3 | 2 | 1 | 0.6667 | 0.3333 | 2 | 1 | 2
