-- Changes events where retention removed values (stored rows of type removed): a removed version gets the value of the next version that is kept and has
-- content, and keeps its own hash. A load then finds the row at the right time, and finds it changed at the right time. Retention keeps every version of
-- which a table still needs the value. A removed version without content counts as no row, since earlier retention removed such versions, too.
CREATE OR REPLACE TEMP TABLE events AS
SELECT * REPLACE (
  CASE
    WHEN is_removed THEN coalesce(first_value(full_hash IGNORE NULLS) OVER following, first_value(kept_hash IGNORE NULLS) OVER following)
    ELSE value_hash
  END AS value_hash,
  CASE
    WHEN is_removed THEN coalesce(first_value(full_seq IGNORE NULLS) OVER following, first_value(kept_seq IGNORE NULLS) OVER following)
    ELSE value_seq
  END AS value_seq,
  there AND NOT (is_removed AND value_bytes <= 1) AS there)
FROM (
  SELECT
    *,
    CASE WHEN is_kept THEN hash END AS kept_hash,
    CASE WHEN is_kept THEN value_seq END AS kept_seq,
    CASE WHEN is_kept AND value_bytes > 1 THEN hash END AS full_hash,
    CASE WHEN is_kept AND value_bytes > 1 THEN value_seq END AS full_seq
  FROM (
    SELECT
      *,
      there AND value_seq IS NOT NULL AS is_kept,
      value_seq IS NULL
        AND coalesce(bool_or(value_type = 'removed') OVER (PARTITION BY source_id, store, "table", conversation_id, key_type, ident, hash), false) AS is_removed
    FROM events
  )
)
WINDOW following AS (
  PARTITION BY source_id, store, "table", conversation_id, key_type, ident ORDER BY seq, value_type = 'gone'
  ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING);
