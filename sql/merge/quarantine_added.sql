-- Counts the staged rows of stage_quarantine that quarantine does not have, or has as resolved.
SELECT count(*) FROM temp.stage_quarantine s
WHERE NOT EXISTS (
  FROM quarantine o
  WHERE s.source_id = o.source_id AND s.store = o.store AND s.key IS NOT DISTINCT FROM o.key AND s.value_hash = o.value_hash
    AND o.resolved_load_id IS NULL);
