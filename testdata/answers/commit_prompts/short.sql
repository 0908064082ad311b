-- two prompts of Work led to the first commit
FROM commit_prompts_short;
--> 2025-03-10 00:00:00 | Merge | Work | 1 | 0
--> 2025-03-10 00:00:00 | Beside | Work | 1 | 0
--> 2025-03-10 00:00:00 | Make it | Work | 2 | 50
--> 2025-03-10 00:00:00 | Make it | Talk | 1 | 0
