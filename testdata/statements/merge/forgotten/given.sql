INSERT INTO conversations (conversation_id, title, project_uri, project, project_source) VALUES ('forgot', NULL, NULL, NULL, NULL), ('knows', 'T', 'file:///b', 'b', 'pane'), ('child', NULL, NULL, NULL, NULL);
ATTACH ':memory:' AS _other;
CREATE TABLE _other.conversations AS FROM conversations LIMIT 0;
INSERT INTO _other.conversations BY NAME SELECT source_id, unnest(['forgot', 'child']) AS conversation_id, 'A' AS title, 'file:///a' AS project_uri, 'a' AS project, unnest(['kept', 'parent']) AS project_source
FROM conversations LIMIT 2;
