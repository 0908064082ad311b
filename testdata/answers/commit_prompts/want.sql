-- b's prompt is older than the window; it is the last before the commit.
SELECT commit, title, relevance, edited_files || ' of ' || shared_files AS edited, prompt_at, prompt FROM commit_prompts;
--> cccccccccc | Work | 0 | 0 of 0 | 2025-03-10 09:40:00 | Too late
--> bbbbbbbbbb | Work | 0 | 0 of 0 | 2025-03-10 09:40:00 | Too late
--> aaaaaaaaaa | Work | 0.5 | 1 of 1 | 2025-03-10 09:15:00 | Better
--> aaaaaaaaaa | Work | 0.5 | 1 of 1 | 2025-03-10 09:20:00 | Best
--> aaaaaaaaaa | Talk | 0 | 0 of 0 | 2025-03-10 09:10:00 | Why?
