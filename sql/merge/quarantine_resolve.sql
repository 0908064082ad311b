-- Resolves quarantined rows that are usable again or gone. A row of a conversation in _changed is resolved if it is not staged. A row without a
-- conversation is resolved if it is not staged and its store in _stores was read whole (complete); a workspace.json also if its folder was looked at
-- (folder). The variable load_id is the number of the load.
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
