SELECT conversation_id, source_id, primary_source_id, is_primary, copies FROM conversation_copies ORDER BY ALL;
--> #0123456789abcdef | s1 | s3 | false | 2
--> #0123456789abcdef | s3 | s3 | true | 2
--> AAAAAAAA-0000-4000-8000-00000000000A | s1 | s1 | true | 2
--> AAAAAAAA-0000-4000-8000-00000000000A | s2 | s1 | false | 2
--> aaaaaaaa-0000-4000-8000-000000000001 | s1 | s2 | false | 2
--> aaaaaaaa-0000-4000-8000-000000000001 | s2 | s2 | true | 2
--> aaaaaaaa-0000-4000-8000-000000000002 | s1 | s1 | true | 2
--> aaaaaaaa-0000-4000-8000-000000000002 | s2 | s1 | false | 2
--> aaaaaaaa-0000-4000-8000-000000000003 | s1 | s2 | false | 2
--> aaaaaaaa-0000-4000-8000-000000000003 | s2 | s2 | true | 2
--> aaaaaaaa-0000-4000-8000-000000000005 | s1 | s1 | true | 2
--> aaaaaaaa-0000-4000-8000-000000000005 | s2 | s1 | false | 2
--> pre-aaaaaaaa-0000-4000-8000-000000000006 | s1 | s1 | true | 3
--> pre-aaaaaaaa-0000-4000-8000-000000000006 | s2 | s1 | false | 3
--> pre-aaaaaaaa-0000-4000-8000-000000000006 | s3 | s1 | false | 3
--> task-1 | s1 | s2 | false | 2
--> task-1 | s2 | s2 | true | 2
--> task-1-1 | s1 | s1 | true | 2
--> task-1-1 | s2 | s1 | false | 2
-- each copy once: the eight with ids of their own, two subagents; four ids that repeat are two conversations each
SELECT source_id, conversation_id FROM live_conversations ORDER BY conversation_id, source_id;
--> s1 | #0123456789abcde
--> s3 | #0123456789abcde
--> s3 | #0123456789abcdef
--> s1 | AAAAAAAA-0000-4000-8000-00000000000A
--> s2 | aaaaaaaa-0000-4000-8000-000000000001
--> s1 | aaaaaaaa-0000-4000-8000-000000000002
--> s2 | aaaaaaaa-0000-4000-8000-000000000003
--> s1 | aaaaaaaa-0000-4000-8000-000000000005
--> s1 | aaaaaaaa-0000-4000-8000-000000000009
--> s1 | empty-state-draft
--> s2 | empty-state-draft
--> s1 | pre-aaaaaaaa-0000-4000-8000-000000000006
--> s2 | task-1
--> s1 | task-1-1
--> s1 | task-2
--> s2 | task-2
--> s1 | task-3
--> s2 | task-3
--> s1 | task-4
-- 1 + 10 + 20 + 100 + 200 + 1000 + 2000
SELECT count(*), sum(input_tokens)::BIGINT FROM live_messages;
--> 7 | 3331
SELECT count(*) FROM timeline;
--> 7
SELECT sum(input_tokens)::BIGINT FROM tokens_by_model;
--> 3331
-- the plain tables have every row
SELECT count(*) FROM messages;
--> 14
-- project a: in s1 the chats of 10:00, 12:00 and 16:00, in s2 those of 9:00 and 11:00
SELECT source_id, started_at, conversation_count, message_count FROM sessions WHERE project_uri = 'file:///a' ORDER BY ALL;
--> s1 | 2025-03-10 10:00:00 | 1 | 2
--> s1 | 2025-03-10 12:00:00 | 1 | 1
--> s1 | 2025-03-10 16:00:00 | 1 | 0
--> s2 | 2025-03-10 09:00:00 | 1 | 1
--> s2 | 2025-03-10 11:00:00 | 1 | 1
SELECT source_id, project_uri, started_at, ended_at, message_count FROM activity_periods ORDER BY ALL;
--> s1 | file:///a | 2025-03-10 10:00:00 | 2025-03-10 10:10:00 | 2
--> s1 | file:///a | 2025-03-10 12:00:00 | 2025-03-10 12:00:00 | 1
--> s1 | NULL | 2025-03-10 13:00:00 | 2025-03-10 13:01:00 | 2
--> s2 | file:///a | 2025-03-10 09:00:00 | 2025-03-10 09:00:00 | 1
--> s2 | file:///a | 2025-03-10 11:00:00 | 2025-03-10 11:00:00 | 1
-- a subagent has the session of its parent's primary, wherever that is; a copy has none
SELECT c.source_id, c.conversation_id, s.source_id, s.started_at FROM conversations c LEFT JOIN sessions s USING (session_id) WHERE c.conversation_id LIKE 'task-%' ORDER BY 2, 1;
--> s1 | task-1 | NULL | NULL
--> s2 | task-1 | s1 | 2025-03-10 10:00:00
--> s1 | task-1-1 | s1 | 2025-03-10 10:00:00
--> s2 | task-1-1 | NULL | NULL
--> s1 | task-2 | s2 | 2025-03-10 09:00:00
--> s2 | task-2 | s1 | 2025-03-10 10:00:00
--> s1 | task-3 | NULL | NULL
--> s2 | task-3 | NULL | NULL
--> s1 | task-4 | s1 | 2025-03-10 10:00:00
SELECT conversation_id, source_id, subagents_of_parent, parent_title, depth FROM subagents ORDER BY 1, 2;
--> task-1 | s2 | 3 | went on | 1
--> task-1-1 | s1 | 1 | sub | 2
--> task-2 | s1 | 1 | equal | 1
--> task-2 | s2 | 3 | went on | 1
--> task-3 | s1 | NULL | NULL | NULL
--> task-3 | s2 | NULL | NULL | NULL
--> task-4 | s1 | 3 | went on | 1
-- all three share a chat, s1 with s3 by way of one of them; s4 shares none
SELECT * FROM source_groups ORDER BY 1;
--> s1 | s2
--> s2 | s2
--> s3 | s2
SELECT source_id, date::VARCHAR, tab_suggested_lines, tab_accepted_lines, composer_suggested_lines, composer_accepted_lines FROM live_daily_edit_stats ORDER BY 1, 2;
--> s2 | 2025-03-10 | 100 | 50 | 7 | NULL
--> s2 | 2025-03-11 | 5 | 1 | NULL | NULL
--> s2 | 2025-03-12 | 3 | 2 | 1 | NULL
--> s4 | 2025-03-10 | 1000 | 500 | NULL | NULL
SELECT date::VARCHAR, sources, tab_suggested_lines FROM edit_acceptance_per_day ORDER BY 1;
--> 2025-03-10 | 2 | 1100
--> 2025-03-11 | 1 | 5
--> 2025-03-12 | 1 | 3
SELECT source_id, workspace_id, prompt_id, text FROM live_prompts ORDER BY ALL;
--> s1 | w1 | p3 | three
--> s1 | w2 | p1 | one, in another folder
--> s2 | w1 | p1 | one
--> s2 | w1 | p2 | gone
--> s4 | w1 | p1 | of a stranger
-- lost is what no source has any more
SELECT count(*) FROM lost_conversations;
--> 0
SELECT name, source_id, CAST(also_in AS VARCHAR) FROM list_conversations() WHERE message_count > 0 ORDER BY 1;
--> deleted | s2 | [s1]
--> equal | s2 | [s1]
--> one more | s1 | [s2]
--> orphan | s1 | [s2]
--> went on | s1 | [s2]
SELECT source_id FROM get_conversation('aaaaaaaa-0000-4000-8000-000000000002');
--> s1
SELECT id FROM list_messages('aaaaaaaa-0000-4000-8000-000000000002');
--> m1
--> m3
