SELECT source_id, project, title, conversation_id, file, rounds, errors, edits, first_position, last_position FROM edit_loops;
--> s1 | tide | One | c | a.go | 4 | 4 | 5 | 1 | 28
--> s2 | NULL | Other | c | a.go | 3 | 3 | 4 | 0 | 6

SELECT calls, outcome_known, times_known, started_at, ended_at, lines_known, lines_added, lines_removed FROM edit_loops;
--> 9 | 8 | 4 | 2025-03-10 09:01:00 | 2025-03-10 09:28:00 | 5 | 10 | 5
--> 4 | 4 | 3 | 2025-03-10 09:02:00 | 2025-03-10 09:06:00 | 4 | 8 | 4
