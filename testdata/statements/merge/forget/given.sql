INSERT INTO _known_conversations (source_id, store, conversation_id) VALUES ('s1', 'global', 'c1'), ('s1', 'workspace/w', 'c1'), ('s2', 'global', 'c1'), ('s1', 'global', 'c2');
CREATE TEMP TABLE _forgotten AS SELECT 's1' AS source_id, 'global' AS store, 'c1' AS conversation_id;
