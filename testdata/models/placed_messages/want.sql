SELECT conversation_id, right(message_id, 1), position, turn, is_listed, is_repeat, text FROM messages WHERE conversation_id NOT IN ('a', 'gone') ORDER BY ALL;
--> b | 1 | 0 | 1 | true | true | Plan it
--> b | 2 | 1 | 1 | true | true | NULL
--> b | 4 | 2 | 2 | true | false | Do it
--> b | 5 | 3 | 2 | true | false | NULL
--> x | 1 | 0 | 1 | true | true | Plan it
SELECT conversation_id, forked_from, message_count, user_message_count, tool_call_count, missing_message_count, completeness FROM conversations ORDER BY ALL;
--> a | NULL | 3 | 1 | 1 | 0 | complete
--> b | a | 4 | 2 | 2 | 1 | partial
--> gone | NULL | 1 | 0 | 0 | 0 | complete
--> x | a | 1 | 1 | 0 | 0 | complete
--> y | NULL | 0 | 0 | 0 | 1 | partial
--> z | NULL | 0 | 0 | 0 | 1 | partial
SELECT conversation_id, right(message_id, 1), position, tool_call_id FROM tool_calls ORDER BY ALL;
--> a | 2 | 1 | toolu_1
--> b | 2 | 1 | toolu_1
--> b | 5 | 3 | toolu_2
SELECT conversation_id, path FROM attachments ORDER BY ALL;
--> a | a.go
--> b | a.go
--> x | a.go
SELECT sum(input_tokens) FROM tokens_by_model;
--> 507
