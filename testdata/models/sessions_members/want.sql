SELECT c.conversation_id, s.started_at FROM conversations c LEFT JOIN sessions s USING (session_id) ORDER BY 1;
--> a1 | 2025-03-10 09:00:00
--> a2 empty draft | NULL
--> a3 | 2025-03-10 09:40:00
--> a4 deleted | NULL
--> a5 | 2025-03-10 10:20:00
--> a6 orphan | NULL
--> a7 | 2025-03-10 11:00:00
--> a8 draft with message | 2025-03-10 11:00:00
--> a9 | 2025-03-10 11:00:00
--> b1 | 2025-03-10 09:00:00
--> b2 | 2025-03-10 10:00:00
--> b3 | 2025-03-10 12:00:00
--> b4 | NULL
SELECT conversation_id FROM conversations WHERE session_id IS NULL ORDER BY 1;
--> a2 empty draft
--> a4 deleted
--> a6 orphan
--> b4
