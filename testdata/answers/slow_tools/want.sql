-- 0 is a duration; of the two slowest edits the earlier is named; what nobody timed comes last
SELECT tool, calls, duration_known, p50_ms, p95_ms, max_ms, total_ms FROM slow_tools;
--> read_file | 6 | 5 | 20 | 500 | 500 | 570
--> edit_file | 2 | 2 | 70 | 70 | 70 | 140
--> (unnamed) | 1 | 1 | 3 | 3 | 3 | 3
--> grep | 1 | 0 | NULL | NULL | NULL | NULL

SELECT tool, slowest_at, slowest_project, slowest_title, slowest_source_id, slowest_conversation_id, slowest_message_id FROM slow_tools;
--> read_file | 2025-03-10 09:00:06 | site | Other | s2 | c | m0
--> edit_file | 2025-03-10 09:00:08 | tide | One | s1 | c | m1
--> (unnamed) | 2025-03-10 09:00:07 | tide | One | s1 | c | m1
--> grep | NULL | NULL | NULL | NULL | NULL | NULL
