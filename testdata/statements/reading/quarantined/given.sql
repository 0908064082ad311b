INSERT INTO conversations (conversation_id, status, deleted_at) VALUES ('there', NULL, NULL), ('deleted', NULL, '2025-06-02 00:00:00+00'), ('orphan', 'orphaned', NULL);
INSERT INTO quarantine (source_id, store, key, conversation_id, family, resolved_load_id) VALUES
  ('s1', 'global', 'k1', 'there', 'f', NULL), ('s1', 'global', 'k2', 'there', 'f', NULL), ('s1', 'global', 'k3', 'there', 'g', NULL), ('s1', 'global', 'k4', 'there', 'h', 3),
  ('s1', 'global', 'k5', 'deleted', 'f', NULL), ('s1', 'global', 'k6', 'orphan', 'f', NULL), ('s1', 'global', 'k7', 'never read', 'f', NULL), ('s1', 'global', 'k8', NULL, 'f', NULL);
-- an element of a row says nothing of the row
INSERT INTO quarantine (source_id, store, key, conversation_id, family, value_type, resolved_load_id) VALUES ('s1', 'global', 'k9', 'there', 'e', 'element', NULL);
