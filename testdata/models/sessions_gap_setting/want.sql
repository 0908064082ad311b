SELECT started_at, conversation_count FROM sessions ORDER BY 1;
--> 2025-03-10 09:00:00 | 2
--> 2025-03-10 09:02:00.001 | 1
SELECT started_at, ended_at, message_count FROM activity_periods ORDER BY 1;
--> 2025-03-10 09:00:00 | 2025-03-10 09:01:00 | 2
--> 2025-03-10 09:02:00.001 | 2025-03-10 09:02:00.001 | 1
