SELECT conversation_id, forked_from FROM conversations WHERE forked_from IS NOT NULL ORDER BY ALL;
--> b | aaaaaaaa-0000-4000-8000-000000000001
--> c | b
--> of sub | sub
SELECT conversation_id, string_agg(right(message_id, 2), ' ' ORDER BY position) FROM messages WHERE is_repeat GROUP BY ALL ORDER BY ALL;
--> b | 01 02 b3
--> c | 04 01
--> of sub | 06
--> sub | 01
--> try | 01
SELECT sum(input_tokens) FROM tokens_by_model WHERE true;
--> 1014
