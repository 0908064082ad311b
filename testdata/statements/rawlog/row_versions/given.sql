CREATE TABLE raw AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'F' AS family, 'k' AS "key", 'text' AS key_type, NULL::BLOB AS key_bytes, 1 AS "rowid", value, 'text' AS value_type,
  10 AS value_bytes, hash, conversation_id, seq, ends FROM (VALUES
  ('c1', 'first', 'a', 1, 2), ('c1', 'second', 'b', 2, 3), ('c1', 'third', 'c', 3, 4), ('c1', 'later', 'd', 4, 9), ('c2', 'of another', 'a', 1, 9)
) v(conversation_id, value, hash, seq, ends);
