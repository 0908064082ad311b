SELECT source_id, conversation_id, message_id, position, text, deleted_at FROM temp.stage_messages ORDER BY ALL;
--> s1 | c1 | gone | NULL | gone now | 2025-06-10 00:00:00
--> s1 | c1 | half gone | NULL | it had kept its position | 2025-06-02 00:00:00
--> s1 | c1 | kept | 0 | as it is now | NULL
--> s1 | c2 | back | 0 | there again | NULL
