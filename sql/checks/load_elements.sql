-- Every element of a document became a row or is in quarantine, or is left out for a reason in docs/formats.md; and every message that a document became was
-- written. A difference counts until what it was found in has been read again: a conversation that the load wrote, or the shared rows of the store.
WITH lost AS (
    SELECT load_id, source_id, store, concat_ws('/', source_id, nullif(store, ''), family, nullif(list, '')) AS name, seen,
           CAST(rows AS HUGEINT) + CAST(quarantined AS HUGEINT) + CAST(duplicates AS HUGEINT) + CAST(skipped AS HUGEINT) AS accounted
    FROM load_elements
)
SELECT 'load_elements' AS table_name, e.load_id || '/' || e.name AS row_key, e.seen || ' seen, ' || e.accounted || ' accounted for' AS problem
FROM lost e
LEFT JOIN loads l ON l.load_id = e.load_id -- the load that is under way is not among them
WHERE e.seen <> e.accounted
  AND (l.load_id IS NULL
       OR e.store = '' AND EXISTS (FROM conversations c WHERE c.source_id = e.source_id AND c.changed_at = l.started_at AND c.deleted_at IS NULL)
       OR e.store <> '' AND NOT EXISTS (FROM load_elements r WHERE r.source_id = e.source_id AND r.store = e.store AND r.family = '(shared)' AND r.load_id > e.load_id));
