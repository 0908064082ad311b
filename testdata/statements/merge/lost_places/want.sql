SELECT source_id, conversation_id, store_kind, deleted_at FROM conversation_sources ORDER BY ALL;
--> s1 | c1 | cli_store | 2025-06-02 00:00:00
--> s1 | c1 | transcript | NULL
--> s1 | c2 | transcript | 2025-06-02 00:00:00
--> s1 | c3 | cli_store | 2025-06-01 00:00:00
--> s2 | c1 | cli_store | NULL
