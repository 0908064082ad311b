-- Each element that a document holds became a row, is in quarantine, or was left out for a known reason; and each message that a document became was
-- written. Loads before the last one that read every conversation anew do not count: their rows are replaced.
SELECT 'load_elements' AS table_name, load_id || '/' || source_id || '/' || family || CASE WHEN list = '' THEN '' ELSE '/' || list END AS row_key,
       seen || ' seen, ' || (rows + quarantined + duplicates + skipped) || ' accounted for' AS problem
FROM load_elements
WHERE seen <> rows + quarantined + duplicates + skipped
  AND load_id >= (SELECT coalesce(max(load_id), 0) FROM loads WHERE conversations_unchanged = 0 AND conversations_new + conversations_changed > 0);
