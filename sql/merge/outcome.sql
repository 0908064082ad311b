-- Counts the new, changed and deleted conversations in _changed (source_id, conversation_id). It compares stage_conversations with conversations before
-- anything is merged.
--
-- A conversation whose own row is gone while messages of it still exist is staged as an orphan. It is headless: it counts as deleted, once, and a
-- deleted one stays deleted. This does not hold for a conversation of which only messages were ever seen (merge/conversations.sql has the same
-- condition).
WITH pairs AS (
  SELECT
    o.conversation_id IS NOT NULL AS had,
    s.conversation_id IS NOT NULL AS has,
    o.deleted_at AS deleted,
    s.status IS NOT DISTINCT FROM 'orphaned' AND (o.deleted_at IS NOT NULL OR o.status IS DISTINCT FROM 'orphaned')
      AND NOT ((o.status IS NOT DISTINCT FROM 'orphaned' AND o.header_count = 0 AND o.format_version IS NULL
        AND o.created_at IS NULL AND o.updated_at IS NULL AND o.model IS NULL)
        AND coalesce(o.title = s.title, o.title IS NULL) AND coalesce(o.mode = s.mode, o.mode IS NULL)) AS headless
  FROM (SELECT DISTINCT * FROM _changed) c
  LEFT JOIN conversations o USING (source_id, conversation_id)
  LEFT JOIN temp.stage_conversations s USING (source_id, conversation_id)
)
SELECT
  count(*) FILTER (WHERE has AND NOT had),
  count(*) FILTER (WHERE has AND had AND NOT headless),
  count(*) FILTER (WHERE had AND deleted IS NULL AND (NOT has OR headless))
FROM pairs;
