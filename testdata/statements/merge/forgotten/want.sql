SELECT conversation_id, title, project, project_source FROM conversations ORDER BY ALL;
--> child | NULL | NULL | NULL
--> forgot | A | a | kept
--> knows | T | b | pane
