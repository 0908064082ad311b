INSERT INTO project_aliases (project_uri, alias_of, origin, first_load_id, new_project_uri) VALUES ('a', 'b', 'flag', 1, 'c'), ('b', 'c', 'renamed', 1, 'c'), ('nobody', 'z', 'flag', 2, NULL);
INSERT INTO conversations (source_id, conversation_id, project_uri, deleted_at) VALUES ('s1', '1', 'a', NULL), ('s2', '1', 'a', NULL), ('s1', '2', 'a', '2025-06-01 00:00:00+00'), ('s1', '3', 'c', NULL);
