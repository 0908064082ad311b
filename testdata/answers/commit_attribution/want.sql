SELECT commit_hash, branch, committed_at, subject, lines_added, ai_lines, human_lines, ai_share, ai_percent_v2, conversations FROM commit_attribution;
--> aaaa | main | 2025-03-10 09:25:00 | Make it | 50 | 30 | 10 | 0.75 | 75 | [a]
--> aaaa | side | 2025-03-10 09:25:00 | Make it | 50 | 0 | 40 | 0 | 0 | [a]
--> bbbb | main | 2025-03-09 09:00:00 | Alone | 5 | 5 | 0 | 1 | 100 | []
--> cccc | main | 2025-03-08 09:00:00 | NULL | NULL | NULL | NULL | NULL | NULL | []
