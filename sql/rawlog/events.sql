-- Makes events out of stored: every version and every end of a row, in which part it began (seq) and in which it ended (ends; the largest number: it
-- has not). there says that the row was there; value_hash and value_seq say which stored row has its value.
--
-- A stored row of the type gone without a hash is the end of the row. One with a hash is an earlier version that is back: its value is stored with the
-- first row of that hash. Of a row without a key it is the end of that row.
CREATE TEMP TABLE events AS
SELECT
  source_id, store, "table", conversation_id, key_type, ident, seq, hash, value_bytes, hash AS value_hash, value_type,
  hash IS NOT NULL AND (value_type <> 'gone' OR key_type <> 'null') AS there,
  CASE
    WHEN key_type = 'null' THEN seq
    ELSE min(seq) FILTER (value_type NOT IN ('gone', 'removed')) OVER (PARTITION BY source_id, store, "table", key_type, ident, hash)
  END AS value_seq,
  lead(seq, 1, 9223372036854775807) OVER (PARTITION BY source_id, store, "table", key_type, ident ORDER BY seq, value_type = 'gone') AS ends
FROM stored;
