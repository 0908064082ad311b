-- printf 's1\037\0371741597200000' | sha256sum
SELECT session_id FROM sessions WHERE source_id = 's1' AND project_uri IS NULL;
--> c3f6c73418afda16
SELECT source_id, project_uri, project, started_at, conversation_count FROM sessions ORDER BY ALL;
--> s1 | file:///a/web | web | 2025-03-10 09:10:00 | 1
--> s1 | file:///a/web | web | 2025-03-10 09:45:00 | 1
--> s1 | file:///b/web | web | 2025-03-10 09:20:00 | 1
--> s1 | file:///b/web | web | 2025-03-10 10:00:00 | 1
--> s1 | NULL | NULL | 2025-03-10 09:00:00 | 2
--> s2 | file:///a/web | web | 2025-03-10 09:30:00 | 1
--> s2 | NULL | NULL | 2025-03-10 09:05:00 | 1
SELECT source_id, project_uri, started_at, ended_at, conversation_count, message_count FROM activity_periods ORDER BY ALL;
--> s1 | file:///a/web | 2025-03-10 09:10:00 | 2025-03-10 09:10:00 | 1 | 1
--> s1 | file:///b/web | 2025-03-10 09:20:00 | 2025-03-10 09:20:00 | 1 | 1
--> s1 | NULL | 2025-03-10 09:00:00 | 2025-03-10 09:10:00 | 2 | 2
--> s2 | NULL | 2025-03-10 09:05:00 | 2025-03-10 09:05:00 | 1 | 1
-- the first instant of a group is that of its session here, and so the ids are equal
SELECT period_id FROM activity_periods WHERE source_id = 's1' AND project_uri IS NULL;
--> c3f6c73418afda16
