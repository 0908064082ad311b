INSERT INTO _owners (source_id, store, kind, id) VALUES ('s1', 'global', 'conversation', 'c1'), ('s1', 'global', 'family', 'c1'), ('s1', 'workspace/w', 'conversation', 'c1'),
  ('s2', 'global', 'conversation', 'c1'), ('s1', 'global', 'conversation', 'c2');
CREATE TEMP TABLE _forgotten AS SELECT 's1' AS source_id, 'global' AS store, 'conversation' AS kind, 'c1' AS id;
