-- the agent of another source is the composer's, as its id is unique; an id that may repeat says nothing about another source
SELECT source_id, conversation_id, primary_source_id, is_primary, copies, primary_conversation_id FROM conversation_copies ORDER BY ALL;
--> s1 | bc-aaaaaaaa-0000-4000-8000-000000000003 | s1 | false | 1 | aaaaaaaa-0000-4000-8000-000000000003
--> s2 | bc-aaaaaaaa-0000-4000-8000-000000000005 | s1 | false | 1 | aaaaaaaa-0000-4000-8000-000000000005
SELECT source_id, conversation_id FROM live_conversations ORDER BY ALL;
--> s1 | aaaaaaaa-0000-4000-8000-000000000001
--> s1 | aaaaaaaa-0000-4000-8000-000000000003
--> s1 | aaaaaaaa-0000-4000-8000-000000000005
--> s1 | aaaaaaaa-0000-4000-8000-000000000006
--> s1 | bc-aaaaaaaa-0000-4000-8000-000000000001
--> s1 | bc-aaaaaaaa-0000-4000-8000-000000000002
--> s1 | bc-aaaaaaaa-0000-4000-8000-000000000004
--> s1 | bc-aaaaaaaa-0000-4000-8000-000000000006
--> s1 | bc-short
--> s2 | shows short
SELECT count(*), sum(message_count)::BIGINT FROM sessions;
--> 8 | 9
SELECT * FROM source_groups;
