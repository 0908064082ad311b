INSERT INTO _known_rows (source_id, store, conversation_id, key) SELECT 's1', 'global', 'c1', 'k' || i FROM range(1, 8) r(i);
INSERT INTO _known_rows (source_id, store, conversation_id, key) VALUES ('s1', 'global', 'c1', 'k3'), ('s2', 'global', 'c1', 'k0'), ('s1', 'global', 'c2', 'k0');
