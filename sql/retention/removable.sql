-- Makes _removable: the row versions whose values may be removed, because a load that began before the variable retention_before (ms since 1970)
-- superseded them. It reads _known_rows, quarantine, _seqs (seq, started_at: when the load of a part began) and _moments.
--
-- A value is stored once, even if its version was present several times: all these times must be over. These are kept: the last value of a row, versions
-- that a deleted row was read from (_moments), all versions of rows that were quarantined, and all rows of the owners in the variable retention_whole. A
-- version without content (NULL, a byte 0) takes no space and says that the row was deleted: it is kept, too.
CREATE OR REPLACE TEMP TABLE _removable AS
WITH several AS ( -- rows with more than one version
  SELECT source_id, store, table_name, conversation_id, key_type, key FROM _known_rows
  WHERE key_type <> 'null' AND NOT list_contains(getvariable('retention_whole'), conversation_id)
  GROUP BY ALL HAVING count(*) > 1
), events AS ( -- each version, and the part in which it ended
  SELECT
    k.*,
    lead(k.seq) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.conversation_id, k.key_type, k.key, k.key_bytes ORDER BY k.seq, k.hash IS NULL) AS ends,
    max(k.seq) FILTER (k.hash IS NOT NULL) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.conversation_id, k.key_type, k.key, k.key_bytes) AS last_there
  FROM _known_rows k
  SEMI JOIN several s ON s.source_id = k.source_id AND s.store = k.store AND s.table_name = k.table_name AND s.conversation_id = k.conversation_id AND s.key_type = k.key_type AND s.key = k.key
  ANTI JOIN quarantine q ON q.source_id = k.source_id AND q.store = k.store AND q.key = k.key
), over AS ( -- values whose versions have all been superseded
  SELECT e.source_id, e.store, e.table_name, e.conversation_id, e.key_type, e.key, e.key_bytes, e.hash
  FROM events e
  LEFT JOIN temp._seqs s ON s.seq = e.ends
  LEFT JOIN temp._moments m ON m.source_id = e.source_id AND m.conversation_id = e.conversation_id AND m.seq >= e.seq AND m.seq < e.ends
  WHERE e.hash IS NOT NULL
  GROUP BY ALL
  HAVING max(e.value_bytes) > 1
    AND bool_and(coalesce(epoch_ms(s.started_at) < getvariable('retention_before'), false) AND e.seq < e.last_there AND m.seq IS NULL)
)
SELECT e.source_id, e.store, e.table_name, e.conversation_id, e.key_type, e.key, e.key_bytes, e.hash, e.seq, e.value_bytes, e.raw_file, s.started_at
FROM events e
JOIN over o ON o.source_id = e.source_id AND o.store = e.store AND o.table_name = e.table_name AND o.conversation_id = e.conversation_id AND o.key_type = e.key_type AND o.key = e.key
  AND o.key_bytes IS NOT DISTINCT FROM e.key_bytes AND o.hash = e.hash
JOIN temp._seqs s ON s.seq = e.seq
WHERE NOT e.is_mark;
