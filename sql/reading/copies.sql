-- Counts the conversations that several sources have now (live rows that are no orphans and not empty), by the number of sources.
SELECT places, count(*)
FROM (
  SELECT count(*) AS places
  FROM conversation_copies k
  JOIN conversations c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id
  WHERE k.primary_conversation_id IS NULL AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned' AND (c.message_count > 0 OR c.missing_message_count > 0)
  GROUP BY k.conversation_id, k.primary_source_id
  HAVING count(*) > 1
)
GROUP BY places
ORDER BY places;
