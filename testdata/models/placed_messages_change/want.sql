SELECT conversation_id, right(message_id, 1), position, turn, is_repeat, text, deleted_at IS NOT NULL FROM messages WHERE conversation_id NOT IN ('a', 'gone') ORDER BY ALL;
--> b | 1 | 0 | 1 | true | Plan it well | false
--> b | 2 | NULL | 1 | false | NULL | true
--> b | 4 | 1 | 2 | false | Do it | false
--> b | 5 | 2 | 2 | false | NULL | false
--> x | 1 | 0 | 1 | true | Plan it well | false
SELECT conversation_id, forked_from, message_count, tool_call_count, missing_message_count, completeness FROM conversations WHERE conversation_id IN ('b', 'x') ORDER BY ALL;
--> b | a | 3 | 1 | 2 | partial
--> x | a | 1 | 0 | 0 | complete
SELECT conversation_id, right(message_id, 1), position FROM tool_calls ORDER BY ALL;
--> a | 2 | NULL
--> b | 2 | NULL
--> b | 5 | 2
SELECT count(*) FROM attachments;
--> 0
