-- Resolves quarantined rows that are usable again or gone: those that are not staged while their conversation is in _changed; and, of those without a
-- conversation, those of a store in _stores that was read whole (complete), and the workspace.json of one whose folder was looked at (folder).
-- The variable load_id is the number of the load.
UPDATE quarantine AS o SET resolved_load_id = getvariable('load_id')
WHERE o.resolved_load_id IS NULL
  AND NOT EXISTS (
    FROM temp.stage_quarantine s
    WHERE s.source_id = o.source_id AND s.store = o.store AND s.key IS NOT DISTINCT FROM o.key AND s.value_hash = o.value_hash)
  AND (o.source_id, o.conversation_id) IN (SELECT source_id, conversation_id FROM _changed);
UPDATE quarantine AS o SET resolved_load_id = getvariable('load_id')
WHERE o.resolved_load_id IS NULL
  AND NOT EXISTS (
    FROM temp.stage_quarantine s
    WHERE s.source_id = o.source_id AND s.store = o.store AND s.key IS NOT DISTINCT FROM o.key AND s.value_hash = o.value_hash)
  AND o.conversation_id IS NULL
  AND EXISTS (
    FROM temp._stores c
    WHERE c.source_id = o.source_id AND c.store = o.store AND (c.complete OR c.folder AND o.family = 'workspace.json'));
