-- What is staged keeps when it was first seen. Heads that are lost are not staged any more: their rows keep their values.
SELECT conversation_id, title, status, first_seen_at FROM temp.stage_conversations ORDER BY 1;
--> back | It is there again | NULL | 2025-06-01 00:00:00
--> deleted orphan | NULL | orphaned | 2025-06-01 00:00:00
--> deleted orphan of a list | Listed | orphaned | 2025-06-01 00:00:00
--> new | New | NULL | 2025-06-09 00:00:00
--> new orphan | NULL | orphaned | 2025-06-09 00:00:00
--> orphan before | NULL | orphaned | 2025-06-01 00:00:00
--> same | As it is now | completed | 2025-06-01 00:00:00
-- What is deleted already keeps its time.
SELECT conversation_id, title, status, deleted_at, changed_at FROM conversations ORDER BY 1;
--> back | Before | NULL | 2025-06-02 00:00:00 | 2025-06-01 00:00:00
--> deleted, then head lost | It had one, too | orphaned | 2025-06-02 00:00:00 | 2025-06-10 00:00:00
--> gone | Gone now | NULL | 2025-06-10 00:00:00 | 2025-06-10 00:00:00
--> gone before | Gone before | NULL | 2025-06-02 00:00:00 | 2025-06-01 00:00:00
--> head lost | It had a head | orphaned | 2025-06-10 00:00:00 | 2025-06-10 00:00:00
--> orphan before | NULL | orphaned | NULL | 2025-06-01 00:00:00
--> same | As it was | completed | NULL | 2025-06-01 00:00:00
--> untouched | Not read | NULL | NULL | 2025-06-01 00:00:00
