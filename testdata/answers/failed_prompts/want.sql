SELECT prompt, asked_at, project, error, model, waited_ms, tool_calls, title FROM failed_prompts;
--> Build it | 2026-05-01 10:00:00 | shop | no network | m1 | 10000 | 0 | Shop
--> Write | NULL | NULL | NULL | NULL | NULL | 1 | Blog
