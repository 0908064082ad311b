CREATE TABLE stored AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'F' AS family, 'c1' AS conversation_id, NULL::BLOB AS key_bytes, 0 AS "rowid",
  encode('value ' || hash) AS value, encode(ident) AS ident, * EXCLUDE (ident) REPLACE (seq::BIGINT AS seq) FROM (VALUES
  ('k', 'k', 'text', 'a', 'text', 10, 1), ('k', 'k', 'text', 'b', 'text', 10, 2), ('k', 'k', 'text', 'c', 'text', 10, 3), ('k', 'k', 'text', 'a', 'gone', 0, 4), ('k', 'k', 'text', NULL, 'gone', 0, 5)
) v("key", ident, key_type, hash, value_type, value_bytes, seq);

INSERT INTO stored BY NAME SELECT * REPLACE ('(shared)' AS conversation_id, 'other' AS "key", encode('other') AS ident) FROM stored WHERE seq = 1;
CREATE TEMP TABLE events AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'text' AS key_type, encode(ident) AS ident, * EXCLUDE (ident) FROM (VALUES
  -- a is back in part 4.
  ('c1', 'k', 'a', 1, true, 1, 2), ('c1', 'k', 'b', 2, true, 2, 3), ('c1', 'k', 'c', 3, true, 3, 4), ('c1', 'k', 'a', 1, true, 4, 5), ('c1', 'k', NULL, NULL, false, 5, 9),
  ('(shared)', 'other', 'a', 1, true, 1, 9)
) v(conversation_id, ident, hash, value_seq, there, seq, ends);
SET VARIABLE raw_families = ['E', 'F'];
