CREATE TEMP TABLE events AS SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'c1' AS conversation_id, 'text' AS key_type, encode(ident) AS ident, seq::BIGINT AS seq, hash, value_bytes,
  hash AS value_hash, value_type, hash IS NOT NULL AS there, value_seq, lead(seq::BIGINT, 1, 9223372036854775807) OVER (PARTITION BY ident ORDER BY seq) AS ends FROM (VALUES

  -- Nothing was removed.
  ('plain', 'a', 'text', 10, 1, 1), ('plain', 'b', 'text', 10, 2, 2),
  -- b was removed: c, the next one that is kept, takes its place. a is not touched.
  ('removed', 'a', 'text', 10, 1, 1), ('removed', 'b', 'removed', 10, NULL, 2), ('removed', 'c', 'text', 10, 3, 3),
  -- Two in a row were removed.
  ('two', 'a', 'removed', 10, NULL, 1), ('two', 'b', 'removed', 10, NULL, 2), ('two', 'c', 'text', 10, 3, 3),
  -- The next one that is kept holds nothing: the one after it is taken.
  ('empty', 'a', 'removed', 10, NULL, 1), ('empty', 'b', 'text', 1, 2, 2), ('empty', 'c', 'text', 10, 3, 3),
  -- None after it holds anything: then one that holds nothing is taken.
  ('only empty', 'a', 'removed', 10, NULL, 1), ('only empty', 'b', 'text', 1, 2, 2),
  -- A removed version was back for a time: its mark has no value either.
  ('back', 'a', 'removed', 10, NULL, 1), ('back', 'b', 'text', 10, 2, 2), ('back', 'a', 'gone', 10, NULL, 3), ('back', 'c', 'text', 10, 4, 4),
  -- It held nothing, and was removed all the same: the row was not there.
  ('nothing', 'a', 'removed', 1, NULL, 1), ('nothing', 'b', 'text', 10, 2, 2),
  -- It was gone between: the version after that is taken.
  ('gone', 'a', 'removed', 10, NULL, 1), ('gone', NULL, 'gone', 0, NULL, 2), ('gone', 'b', 'text', 10, 3, 3)
) v(ident, hash, value_type, value_bytes, value_seq, seq);
