INSERT INTO _owners (source_id, store, kind, id, fingerprint) VALUES ('s1', 'global', 'conversation', 'a', 'x'), ('s1', 'global', 'conversation', 'b', 'y'), ('s1', 'global', 'family', 'a', 'f'), ('s2', 'global', 'conversation', 'a', 'z');
CREATE TEMP TABLE _doubted AS SELECT 's1' AS source_id, 'global' AS store, 'conversation' AS kind, unnest(['a', 'new']) AS id;
