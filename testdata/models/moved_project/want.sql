SELECT c.conversation_id, c.project, s.started_at, s.project_uri FROM conversations c JOIN sessions s USING (session_id) ORDER BY 1;
--> alone | NULL | 2025-03-10 09:00:00 | NULL
--> c1 | old | 2025-03-10 09:00:00 | file:///old
--> c2 | new | 2025-03-10 09:20:00 | file:///new
--> c3 | old | 2025-03-10 09:40:00 | file:///old
--> c4 | new | 2025-03-10 09:20:00 | file:///new
--> sub | new | 2025-03-10 09:20:00 | file:///new
SELECT project_uri, started_at, ended_at, message_count FROM activity_periods ORDER BY ALL;
--> file:///new | 2025-03-10 09:20:00 | 2025-03-10 09:21:00 | 2
--> file:///old | 2025-03-10 09:00:00 | 2025-03-10 09:00:00 | 1
--> NULL | 2025-03-10 09:00:00 | 2025-03-10 09:00:00 | 1
SELECT count(*) FROM sessions;
--> 4
