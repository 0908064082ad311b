CREATE TABLE stored AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'F' AS family, CASE WHEN ident = 'shared' THEN 'c' || seq ELSE 'c1' END AS conversation_id, NULL::BLOB AS key_bytes, 0 AS "rowid",
  encode('value ' || hash) AS value, encode(ident) AS ident, * EXCLUDE (ident) REPLACE (seq::BIGINT AS seq) FROM (VALUES

  -- Three versions.
  ('plain', 'plain', 'text', 'a', 'text', 10, 1), ('plain', 'plain', 'text', 'b', 'text', 10, 2), ('plain', 'plain', 'text', 'c', 'text', 10, 5),
  -- It is gone, and comes again.
  ('gone', 'gone', 'text', 'a', 'text', 10, 1), ('gone', 'gone', 'text', NULL, 'gone', 0, 3), ('gone', 'gone', 'text', 'b', 'text', 10, 4),
  -- A version is back: its value is that of part 1.
  ('back', 'back', 'text', 'a', 'text', 10, 1), ('back', 'back', 'text', 'b', 'text', 10, 2), ('back', 'back', 'text', 'a', 'gone', 0, 3),
  -- A file was taken in late: one hash is stored twice, and the first one has the value.
  ('again', 'again', 'text', 'a', 'text', 10, 2), ('again', 'again', 'text', 'a', 'text', 10, 4),
  -- It was there and gone in one part.
  ('same part', 'same part', 'text', 'a', 'text', 10, 2), ('same part', 'same part', 'text', NULL, 'gone', 0, 2),
  -- Two conversations have the same node: c2 first, and c4, too; it is gone from c6, which had it in a part that is not here.
  ('shared', 'shared', 'text', 'a', 'text', 10, 2), ('shared', 'shared', 'text', 'a', 'text', 10, 4), ('shared', 'shared', 'text', NULL, 'gone', 0, 6),
  -- Rows without a key: the hash is all that tells one from another, and its mark is its end.
  ('', 'h1', 'null', 'h1', 'text', 10, 1), ('', 'h2', 'null', 'h2', 'text', 10, 1), ('', 'h1', 'null', 'h1', 'gone', 0, 3)
) v("key", ident, key_type, hash, value_type, value_bytes, seq);
