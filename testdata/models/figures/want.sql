SELECT conversation_id, message_count, user_message_count, assistant_message_count, tool_call_count, unlisted_message_count, header_count, missing_message_count
FROM conversations ORDER BY 1;
--> deleted | 0 | 0 | 0 | 0 | 0 | 1 | 0
--> deleted, bubbles remain | 1 | 0 | 1 | 0 | 1 | 1 | 0
--> empty | 0 | 0 | 0 | 0 | 0 | 0 | 0
--> later message | 1 | 1 | 0 | 0 | 0 | 0 | 0
--> many | 4 | 1 | 2 | 2 | 1 | 5 | 2
--> orphaned | 1 | 1 | 0 | 0 | 1 | 0 | 0
SELECT conversation_id, input_tokens, output_tokens FROM conversations ORDER BY 1;
--> deleted | NULL | NULL
--> deleted, bubbles remain | 1 | 2
--> empty | NULL | NULL
--> later message | NULL | NULL
--> many | 9000000000000000100 | 0
--> orphaned | NULL | NULL
SELECT conversation_id, first_message_at, last_message_at, last_activity_at FROM conversations ORDER BY 1;
--> deleted | NULL | NULL | 2025-03-10 09:00:00
--> deleted, bubbles remain | 2025-03-10 09:07:00 | 2025-03-10 09:07:00 | 2025-03-10 09:07:00
--> empty | NULL | NULL | NULL
--> later message | 2025-03-12 00:00:00 | 2025-03-12 00:00:00 | 2025-03-12 00:00:00
--> many | 2025-03-10 09:01:00 | 2025-03-10 09:02:00 | 2025-03-10 09:30:00
--> orphaned | NULL | NULL | NULL
