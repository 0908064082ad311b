SELECT how, source_id, conversation_id, title, project, messages, in_store, prompts, tool_calls, texts, times_known, last_message_at, deleted_at FROM lost_conversations;
--> headless | s1 | head | Head | tide | 3 | 2 | 2 | 0 | 3 | 3 | 2025-03-11 09:00:30 | 2025-06-03 00:00:00
--> deleted | s1 | gone | Gone | tide | 2 | 0 | 1 | 1 | 1 | 1 | 2025-03-10 09:00:10 | 2025-06-02 00:00:00
--> unlisted | s1 | blank | Blank | NULL | 1 | 1 | 1 | 0 | 1 | 1 | 2025-03-12 09:00:10 | NULL
--> orphaned | s1 | orph | NULL | NULL | 1 | 1 | 0 | 0 | 1 | 0 | NULL | NULL
