CREATE TABLE raw AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'F' AS family, k AS "key", 'text' AS key_type, NULL::BLOB AS key_bytes, encode(k) AS ident, 1 AS "rowid", value,
  'text' AS value_type, 10 AS value_bytes, hash, conversation_id, seq, ends FROM (VALUES
  ('c1', 'k', 'first', 'a', 1, 2), ('c1', 'k', 'second', 'b', 2, 3), ('c1', 'k', 'third', 'c', 3, 4), ('c1', 'k', 'later', 'd', 4, 9), ('c2', 'k', 'of another', 'a', 1, 9),
  ('c1', 'not asked for', 'first', 'a', 1, 2), ('c1', 'ż''', 'asked for, too', 'a', 2, 9)
) v(conversation_id, k, value, hash, seq, ends);
