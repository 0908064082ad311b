INSERT INTO conversations (conversation_id, project_uri) VALUES ('c1', 'file:///a'), ('c2', 'file:///a'), ('c3', NULL);
