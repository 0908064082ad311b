-- a.go: the first two edits added 109, the last two removed 80; b.go: the edit without a time is the first; n.go: what the last
-- removed is not known
SELECT project, file, edits, conversations, days, lines_known, lines_added, lines_removed, churn_lines, churn_rate FROM file_churn;
--> tide | a.go | 3 | 2 | 3 | 3 | 129 | 130 | 80 | 0.6202
--> NULL | d.go | 2 | 1 | 0 | 2 | 3 | 2 | 2 | 0.6667
--> tide | b.go | 2 | 1 | 1 | 2 | 6 | 8 | 1 | 0.1667
--> tide | n.go | 2 | 1 | 0 | 1 | 5 | 5 | NULL | NULL

SELECT file, file_type, times_known, first_edit_at, last_edit_at FROM file_churn;
--> a.go | go | 3 | 2025-03-10 23:30:00 | 2025-03-12 09:00:00
--> d.go | go | 0 | NULL | NULL
--> b.go | go | 1 | 2025-03-11 02:00:00 | 2025-03-11 02:00:00
--> n.go | go | 0 | NULL | NULL
