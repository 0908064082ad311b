SELECT conversation_id, forked_from FROM conversations ORDER BY ALL;
--> a | NULL
--> b | NULL
--> c | b
--> d | older
--> older | NULL
SELECT conversation_id FROM messages WHERE is_repeat ORDER BY ALL;
--> c
--> d
