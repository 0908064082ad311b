SELECT started_at, ended_at, conversation_count, message_count FROM sessions;
--> 2025-03-10 09:10:00 | 2025-03-10 09:10:00 | 1 | 1
SELECT started_at, ended_at, conversation_count, message_count FROM activity_periods;
--> 2025-03-10 09:10:00 | 2025-03-10 09:10:00 | 1 | 1
SELECT conversation_id, session_id IS NOT NULL, message_count FROM conversations ORDER BY 1;
--> c1 | false | 0
--> c2 | true | 1
--> sub of c1 | false | 0
