SELECT project, started_at, conversations, totals_known, lines_added, lines_removed FROM session_lines;
--> p | 2025-03-10 09:00:00 | 2 | 1 | 40 | 10
--> p | 2025-03-10 12:00:00 | 1 | 0 | NULL | NULL

SELECT edit_calls, call_lines_known, call_lines_added, call_lines_removed, added_per_call, removed_per_call FROM session_lines;
--> 3 | 2 | 15 | 4 | 7.5 | 2
--> 0 | 0 | NULL | NULL | NULL | NULL
