-- printf 's1\037file:///p\0371741597200000' | sha256sum
SELECT period_id, source_id, project_uri, project, started_at, ended_at, duration_ms FROM activity_periods ORDER BY started_at LIMIT 1;
--> 13b19f2d9f313ef7 | s1 | file:///p | p | 2025-03-10 09:00:00 | 2025-03-10 09:30:00 | 1800000
SELECT started_at, ended_at, duration_ms, conversation_count, message_count, user_message_count, tool_call_count FROM activity_periods ORDER BY started_at;
--> 2025-03-10 09:00:00 | 2025-03-10 09:30:00 | 1800000 | 1 | 2 | 1 | 0
--> 2025-03-10 10:00:00.001 | 2025-03-10 10:40:00 | 2399999 | 3 | 4 | 1 | 3
--> 2025-03-10 11:10:00.001 | 2025-03-10 11:10:00.001 | 0 | 1 | 1 | 0 | 0
