-- Makes _removable: the versions of rows whose values may go, as they were superseded by a load that began before the variable retention_before
-- (ms since 1970). It reads _known_rows, quarantine, _seqs (seq, started_at: when the load of a part began) and _moments.
--
-- A value is kept in one place however often its version was the present one, so all these times have to be over. The last value of a row stays, and
-- so do the versions that a deleted row was read from (_moments), all of rows that were quarantined, and all of the owners in the variable
-- retention_whole. What holds nothing (NULL, a byte 0) takes no room, and says that the row was not there: it stays.
CREATE OR REPLACE TEMP TABLE _removable AS
WITH several AS ( -- rows with more than one version
  SELECT source_id, store, table_name, key_type, key FROM _known_rows
  WHERE key_type <> 'null' AND NOT list_contains(getvariable('retention_whole'), conversation_id)
  GROUP BY ALL HAVING count(*) > 1
), events AS ( -- each version, and the part in which it ended
  SELECT
    k.*,
    lead(k.seq) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.key_type, k.key, k.key_bytes ORDER BY k.seq, k.hash IS NULL) AS ends,
    max(k.seq) FILTER (k.hash IS NOT NULL) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.key_type, k.key, k.key_bytes) AS last_there
  FROM _known_rows k
  SEMI JOIN several s ON s.source_id = k.source_id AND s.store = k.store AND s.table_name = k.table_name AND s.key_type = k.key_type AND s.key = k.key
  ANTI JOIN quarantine q ON q.source_id = k.source_id AND q.store = k.store AND q.key = k.key
), over AS ( -- values of which every time as the present one is over
  SELECT e.source_id, e.store, e.table_name, e.key_type, e.key, e.key_bytes, e.hash
  FROM events e
  LEFT JOIN temp._seqs s ON s.seq = e.ends
  LEFT JOIN temp._moments m ON m.source_id = e.source_id AND m.conversation_id = e.conversation_id AND m.seq >= e.seq AND m.seq < e.ends
  WHERE e.hash IS NOT NULL
  GROUP BY ALL
  HAVING max(e.value_bytes) > 1
    AND bool_and(coalesce(epoch_ms(s.started_at) < getvariable('retention_before'), false) AND e.seq < e.last_there AND m.seq IS NULL)
)
SELECT e.source_id, e.store, e.table_name, e.key_type, e.key, e.key_bytes, e.hash, e.seq, e.value_bytes, e.raw_file, s.started_at
FROM events e
JOIN over o ON o.source_id = e.source_id AND o.store = e.store AND o.table_name = e.table_name AND o.key_type = e.key_type AND o.key = e.key
  AND o.key_bytes IS NOT DISTINCT FROM e.key_bytes AND o.hash = e.hash
JOIN temp._seqs s ON s.seq = e.seq
WHERE NOT e.is_mark;
