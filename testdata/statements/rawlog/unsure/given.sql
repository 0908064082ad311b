INSERT INTO _known_rows (source_id, store, table_name, conversation_id, key, key_type, seq, raw_file) VALUES
  ('s1', 'global', 'T', 'a', 'k1', 'text', 1, 's1/f'), ('s1', 'global', 'T', 'a', 'k2', 'text', 1, 's1/f'), ('s1', 'global', 'T', 'b', 'k', 'text', 2, 's1/g'), ('s1', 'global', 'T', 'new', 'k', 'text', 1, 's1/f');
INSERT INTO _known_conversations (source_id, store, conversation_id, fingerprint) VALUES ('s1', 'global', 'a', 'x'), ('s1', 'global', 'b', 'y'), ('s2', 'global', 'a', 'z');
