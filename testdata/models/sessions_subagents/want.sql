SELECT c.conversation_id, s.started_at FROM conversations c LEFT JOIN sessions s USING (session_id) ORDER BY 1;
--> c1 | 2025-03-10 09:00:00
--> c2 | 2025-03-10 10:00:00
--> c3 deleted | NULL
--> s1 | 2025-03-10 09:00:00
--> s2 | 2025-03-10 09:00:00
--> s3 elsewhere | 2025-03-10 09:00:00
--> s4 no time | 2025-03-10 09:00:00
--> s5 deleted | NULL
--> s6 of deleted | NULL
--> s7 of nobody | NULL
--> s8 of a missing one | NULL
SELECT started_at, ended_at, conversation_count, message_count, user_message_count FROM sessions ORDER BY 1;
--> 2025-03-10 09:00:00 | 2025-03-10 09:00:00 | 1 | 1 | 1
--> 2025-03-10 10:00:00 | 2025-03-10 10:00:00 | 1 | 1 | 1
-- in periods subagents count: from 09:00 forty minutes pass, then ten and ten
SELECT started_at, ended_at, conversation_count, message_count, user_message_count FROM activity_periods ORDER BY 1;
--> 2025-03-10 09:00:00 | 2025-03-10 09:00:00 | 1 | 1 | 1
--> 2025-03-10 09:40:00 | 2025-03-10 10:00:00 | 2 | 3 | 1
-- what the agent of c1 told s1 is no prompt of a person
SELECT message_id FROM messages WHERE is_simulated;
--> m2
