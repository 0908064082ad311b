-- Makes _removable_loads (load_id, started_at, conversations_new): the rows of loads that may be removed, because they began before the variable
-- retention_before (ms since 1970), by a clock that never goes back. These are kept: the last load, the last good one, the last that changed something,
-- the last that looked at each store, and the five that the search index needs to recognise the warehouse.
CREATE OR REPLACE TEMP TABLE _removable_loads AS
SELECT load_id, started_at, conversations_new FROM (SELECT *, max(started_at) OVER (ORDER BY load_id) AS latest FROM loads)
WHERE epoch_ms(latest) < getvariable('retention_before') AND load_id NOT IN (
  SELECT load_id FROM (SELECT load_id FROM loads ORDER BY load_id DESC LIMIT 5)
  UNION ALL SELECT max(load_id) FROM loads WHERE status = 'ok' HAVING count(*) > 0
  UNION ALL SELECT max(load_id) FROM loads WHERE greatest(conversations_new, conversations_changed, conversations_deleted) > 0 HAVING count(*) > 0
  UNION ALL SELECT max(load_id) FROM load_stores GROUP BY source_id, store
  UNION ALL SELECT max(load_id) FROM key_families GROUP BY source_id, store
);
