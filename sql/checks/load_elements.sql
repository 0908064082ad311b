-- Each element that a document holds became a row, is in quarantine, or was left out for a known reason; and each message that a document became was
-- written. Loads before the last one that read every conversation anew do not count: their rows are replaced.
WITH elements AS (
    SELECT load_id, concat_ws('/', source_id, family, nullif(list, '')) AS name, seen,
           CAST(rows AS HUGEINT) + CAST(quarantined AS HUGEINT) + CAST(duplicates AS HUGEINT) + CAST(skipped AS HUGEINT) AS accounted
    FROM load_elements
)
SELECT 'load_elements' AS table_name, load_id || '/' || name AS row_key, seen || ' seen, ' || accounted || ' accounted for' AS problem
FROM elements
WHERE seen <> accounted
  AND load_id >= (SELECT coalesce(max(load_id), 0) FROM loads WHERE conversations_unchanged = 0 AND CAST(conversations_new AS HUGEINT) + CAST(conversations_changed AS HUGEINT) > 0);
