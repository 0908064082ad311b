CREATE TABLE raw AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", family, "key", key_type, NULL::BLOB AS key_bytes, "rowid", value, 'text' AS value_type, 10 AS value_bytes, 'h' || seq AS hash,
  conversation_id, encode("key") AS ident, place, seq, ends FROM (VALUES
  ('c1', 'B', 'k2', 'text', 2, 'second', 2, 1, 9), ('c1', 'A', 'k9', 'text', 1, 'first', 1, 1, 9), ('c1', 'B', 'k1', 'text', 3, 'replaced', 2, 1, 2), ('c1', 'B', 'k1', 'text', 3, 'in its place', 2, 2, 9),
  ('c1', 'B', 'k0', 'blob', 4, 'blobs come after texts', 2, 1, 9), ('c1', 'B', 'k0', 'null', 5, 'rows without a key come last', 2, 1, 9), ('c1', 'B', 'later', 'text', 9, 'later', 2, 3, 9),
  ('c2', 'A', 'k', 'text', 6, 'not asked for', 1, 1, 9), ('c3', 'A', 'k', 'text', 7, 'of c3', 1, 1, 9)
) v(conversation_id, family, "key", key_type, "rowid", value, place, seq, ends);
INSERT INTO raw BY NAME SELECT * REPLACE ('workspace/w' AS store) FROM raw WHERE conversation_id = 'c3';
