SELECT conversation_id, is_subagent, parent_conversation_id FROM conversations WHERE is_subagent ORDER BY 1;
--> child | true | parent
--> named | true | fork
--> unknown | true | NULL
