INSERT INTO _owners (source_id, store, kind, id, is_unsure) VALUES ('s1', 'global', 'conversation', 'a', false), ('s1', 'global', 'conversation', 'b', false), ('s1', 'global', 'family', 'a', false), ('s2', 'global', 'conversation', 'a', false);
CREATE TEMP TABLE _doubted AS SELECT 's1' AS source_id, 'global' AS store, 'conversation' AS kind, unnest(['a', 'new']) AS id;
