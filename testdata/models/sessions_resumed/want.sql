-- c2 opens a session: nothing happened in the half hour before it. c3 does not: it belongs to the session of the conversation before it.
-- The first session ends with the message of c1 three days later: sessions may overlap.
SELECT started_at, ended_at, duration_ms, conversation_count, message_count, user_message_count FROM sessions ORDER BY started_at;
--> 2025-03-10 09:00:00 | 2025-03-13 14:00:00 | 277200000 | 1 | 3 | 2
--> 2025-03-11 10:00:00 | 2025-03-11 10:01:00 | 60000 | 2 | 1 | 1
SELECT c.conversation_id, s.started_at FROM conversations c JOIN sessions s USING (session_id) ORDER BY 1;
--> c1 | 2025-03-10 09:00:00
--> c2 | 2025-03-11 10:00:00
--> c3 | 2025-03-11 10:00:00
