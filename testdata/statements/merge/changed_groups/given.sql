INSERT INTO conversations (source_id, conversation_id, project_uri) VALUES
  ('s1', 'c1', 'file:///a'), ('s1', 'c2', 'file:///b'), ('s2', 'c1', 'file:///of another source'), ('s1', 'c3', NULL);
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c1'), ('s1', 'c3'), ('s1', 'a new one');
