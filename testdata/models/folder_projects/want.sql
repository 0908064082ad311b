SELECT conversation_id, project_source, project_uri, project, project_path FROM conversations WHERE conversation_id <> 'known' ORDER BY ALL;
--> a | slug | file:///home/u/one | one | /home/u/one
--> b | slug | file:///home/u/two | two | /home/u/two
--> c | NULL | NULL | NULL | NULL
--> d | cli_meta | file:///home/u/two | two | /home/u/two
--> e | NULL | NULL | NULL | NULL
--> f | NULL | NULL | NULL | NULL
--> g | NULL | NULL | NULL | NULL
--> h | slug | file:///home/u/one | one | /home/u/one
SELECT conversation_count FROM sessions WHERE project_uri IS NOT NULL ORDER BY ALL;
--> 2
--> 2
