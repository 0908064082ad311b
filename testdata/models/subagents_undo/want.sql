SELECT c.conversation_id, c.is_subagent, c.parent_conversation_id, c.project_uri, c.project, c.project_path, c.project_source, s.started_at
FROM conversations c LEFT JOIN sessions s USING (session_id) ORDER BY 1;
--> below free | true | free | NULL | NULL | NULL | NULL | 2025-03-10 12:00:00
--> free | false | NULL | NULL | NULL | NULL | NULL | 2025-03-10 12:00:00
--> other parent | true | q | file:///q | q | /q | parent | 2025-03-10 09:00:00
--> own | false | NULL | file:///o | o | /o | pane | 2025-03-10 12:00:00
--> p | false | NULL | file:///p | p | /p | composer | 2025-03-10 09:00:00
--> q | false | NULL | file:///q | q | /q | composer | 2025-03-10 09:00:00
SELECT project_uri, started_at, message_count FROM activity_periods ORDER BY ALL;
--> NULL | 2025-03-10 12:00:00 | 1
-- the first prompt of the one is a person's again; that of the other is its parent's agent's
SELECT conversation_id, message_id, is_simulated, turn FROM messages ORDER BY ALL;
--> below free | m | true | 0
--> below free | n | false | 1
--> free | m | false | 1
--> free | n | false | 1
