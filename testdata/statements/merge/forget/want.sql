SELECT source_id, store, conversation_id FROM _known_conversations ORDER BY ALL;
--> s1 | global | c2
--> s1 | workspace/w | c1
--> s2 | global | c1
