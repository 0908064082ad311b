-- Changes events where retention removed values (stored rows of the type removed): the next version that is kept and holds something takes the place of
-- a removed one, under the removed one's own hash. A load then finds the row there, and changed, when it was. Retention keeps every version from
-- which a table has more than that. Of a removed version that held nothing the row was not there: earlier retention removed these, too.
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
        AND coalesce(bool_or(value_type = 'removed') OVER (PARTITION BY source_id, store, "table", key_type, ident, hash), false) AS is_removed
    FROM events
  )
)
WINDOW following AS (
  PARTITION BY source_id, store, "table", key_type, ident ORDER BY seq, value_type = 'gone'
  ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING);
