SELECT conversation_id, source_id, primary_source_id, is_primary FROM conversation_copies ORDER BY ALL;
--> aaaaaaaa-0000-4000-8000-000000000001 | s1 | s2 | false
--> aaaaaaaa-0000-4000-8000-000000000001 | s2 | s2 | true
--> aaaaaaaa-0000-4000-8000-000000000001 | s3 | s2 | false
--> aaaaaaaa-0000-4000-8000-000000000002 | s1 | s2 | false
--> aaaaaaaa-0000-4000-8000-000000000002 | s2 | s2 | true
--> aaaaaaaa-0000-4000-8000-000000000003 | s1 | s2 | false
--> aaaaaaaa-0000-4000-8000-000000000003 | s2 | s2 | true
--> task-1 | s1 | s1 | true
--> task-1 | s2 | s1 | false
SELECT source_id, project, started_at, conversation_count, message_count FROM sessions ORDER BY ALL;
--> s2 | b | 2025-03-10 09:00:00 | 1 | 2
--> s2 | b | 2025-03-10 12:00:00 | 1 | 1
--> s2 | b | 2025-03-10 15:00:00 | 1 | 1
SELECT source_id, project, started_at, ended_at, message_count FROM activity_periods ORDER BY ALL;
--> s2 | b | 2025-03-10 09:00:00 | 2025-03-10 09:10:00 | 2
--> s2 | b | 2025-03-10 12:00:00 | 2025-03-10 12:00:00 | 1
--> s2 | b | 2025-03-10 15:00:00 | 2025-03-10 15:00:00 | 1
-- s1's subagent is the primary, and follows its parent's primary to the session in s2
SELECT c.source_id, c.conversation_id, s.started_at FROM conversations c LEFT JOIN sessions s USING (session_id) ORDER BY 2, 1;
--> s1 | aaaaaaaa-0000-4000-8000-000000000001 | NULL
--> s2 | aaaaaaaa-0000-4000-8000-000000000001 | 2025-03-10 09:00:00
--> s3 | aaaaaaaa-0000-4000-8000-000000000001 | NULL
--> s1 | aaaaaaaa-0000-4000-8000-000000000002 | NULL
--> s2 | aaaaaaaa-0000-4000-8000-000000000002 | 2025-03-10 12:00:00
--> s1 | aaaaaaaa-0000-4000-8000-000000000003 | NULL
--> s2 | aaaaaaaa-0000-4000-8000-000000000003 | 2025-03-10 15:00:00
--> s1 | task-1 | 2025-03-10 09:00:00
--> s2 | task-1 | NULL
-- the commit is linked to the primary alone: before the change that was s1's
SELECT source_id, conversation_id FROM conversation_commits ORDER BY ALL;
--> s2 | aaaaaaaa-0000-4000-8000-000000000002
