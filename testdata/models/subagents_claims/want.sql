SELECT conversation_id, is_subagent, parent_conversation_id FROM conversations ORDER BY 1;
--> below the cycle | true | cycle a
--> by info | true | p3
--> by table | true | NULL
--> by table and parent | true | p2
--> by two parents | true | p1
--> cycle a | true | cycle b
--> cycle b | true | cycle a
--> itself | true | NULL
--> p1 | false | NULL
--> p2 | false | NULL
--> p3 | false | NULL
-- a cycle has no top: no project, no session
SELECT count(*) FROM conversations WHERE is_subagent AND (project_source IS NOT NULL OR (session_id IS NOT NULL AND conversation_id LIKE '%cycle%'));
--> 0
