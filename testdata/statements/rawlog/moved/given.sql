INSERT INTO _known_rows (source_id, store, table_name, conversation_id, key, key_type, key_bytes, row_id, hash, seq) VALUES
  ('s1', 'global', 'T', 'c', 'k', 'text', NULL, 1, 'h1', 1), ('s1', 'global', 'T', 'c', 'k', 'text', NULL, 1, 'h2', 2), ('s1', 'global', 'T', 'c', 'k', 'text', NULL, 1, NULL, 3),
  ('s1', 'global', 'T', 'c', 'b', 'blob', '\x00', 1, 'h1', 1), ('s1', 'global', 'T', 'c', 'b', 'blob', '\x01', 1, 'h1', 1), ('s2', 'global', 'T', 'c', 'k', 'text', NULL, 1, 'h2', 2);
CREATE TEMP TABLE _moved AS FROM _known_rows WHERE source_id = 's1' AND (hash = 'h2' OR key_bytes = '\x01'::BLOB);
UPDATE _moved SET row_id = 7;
