-- Makes events out of stored: every version and every end of a row. seq is the part in which it began, ends the part in which it ended (the largest
-- number: it has not ended). there is false for the end of a row. value_seq is the part with the stored row that has its value.
--
-- A stored row of type gone without a hash is the end of the row. One with a hash is an earlier version that is back: its value is stored with the first
-- row of that hash. Conversations may share a node of the agent's graph: each has its own row of it. For a row without a key, a stored row of type gone is always the end.
CREATE TEMP TABLE events AS
SELECT
  source_id, store, "table", conversation_id, key_type, ident, seq, hash, value_bytes, value_type,
  hash IS NOT NULL AND (value_type <> 'gone' OR key_type <> 'null') AS there,
  CASE
    WHEN key_type = 'null' THEN seq
    ELSE min(seq) FILTER (value_type <> 'gone') OVER (PARTITION BY source_id, store, "table", conversation_id, key_type, ident, hash)
  END AS value_seq,
  lead(seq, 1, 9223372036854775807) OVER (PARTITION BY source_id, store, "table", conversation_id, key_type, ident ORDER BY seq, value_type = 'gone') AS ends
FROM stored;
