-- Before staged rows replace those of table conversations: keeps what the old rows must pass on, and marks conversations in _changed of which nothing is left
-- as deleted. The variable load_started_at is the start of the load.

-- A conversation that an earlier load found keeps its first_seen_at.
UPDATE temp.stage_conversations AS s SET first_seen_at = o.first_seen_at FROM conversations o
WHERE o.source_id = s.source_id AND o.conversation_id = s.conversation_id;

-- A deleted conversation of which only messages were ever seen has no values to keep: it comes back with the messages. It may have the title and the mode
-- that lists still give it.
DELETE FROM conversations AS o USING temp.stage_conversations s
WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.status = 'orphaned' AND o.deleted_at IS NOT NULL
  AND (o.status IS NOT DISTINCT FROM 'orphaned' AND o.header_count = 0 AND o.format_version IS NULL
    AND o.created_at IS NULL AND o.updated_at IS NULL AND o.model IS NULL)
    AND coalesce(o.title = s.title, o.title IS NULL) AND coalesce(o.mode = s.mode, o.mode IS NULL);

-- A conversation whose own row is gone while messages of it still exist keeps its values, as a deleted orphan.
UPDATE conversations AS o
SET status = 'orphaned', deleted_at = coalesce(o.deleted_at, getvariable('load_started_at')), changed_at = getvariable('load_started_at')
FROM temp.stage_conversations s
WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.status = 'orphaned'
  AND (o.status IS DISTINCT FROM 'orphaned' OR o.deleted_at IS NOT NULL);
DELETE FROM temp.stage_conversations AS s USING conversations o
WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.status = 'orphaned' AND o.status = 'orphaned' AND o.deleted_at IS NOT NULL;

-- A conversation of which nothing is left is marked as deleted.
UPDATE conversations AS o SET deleted_at = getvariable('load_started_at'), changed_at = getvariable('load_started_at')
FROM (SELECT DISTINCT * FROM _changed) c
WHERE c.source_id = o.source_id AND c.conversation_id = o.conversation_id AND o.deleted_at IS NULL
  AND NOT EXISTS (FROM temp.stage_conversations s WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id);
