INSERT INTO quarantine (source_id, store, key, conversation_id, family, reason, resolved_load_id) VALUES
  ('s1', 'global', 'n2', 'a', 'agentKv:blob', 'blob_missing', NULL), ('s1', 'global', 'n1', 'a', 'agentKv:blob', 'blob_missing', NULL), ('s1', 'global', 'n3', 'a', 'agentKv:blob', 'blob_missing', 2),
  ('s1', 'global', 'n4', 'a', 'agentKv:blob', 'bad_node', NULL), ('s1', 'global', 'n5', NULL, 'agentKv:blob', 'blob_missing', NULL), ('s1', 'chats/m/b', 'n1', 'b', 'cli.blob', 'blob_missing', NULL);
-- of these the first 32
INSERT INTO quarantine (source_id, store, key, conversation_id, family, reason) SELECT 's2', 'global', printf('m%02d', i), 'c', 'agentKv:blob', 'blob_missing' FROM range(40) AS r(i) WHERE i NOT BETWEEN 2 AND 30;
INSERT INTO quarantine (source_id, store, key, conversation_id, family, reason) SELECT 's2', 'global', 'l' || i, 'd', 'agentKv:blob', 'blob_missing' FROM range(3) AS r(i);
