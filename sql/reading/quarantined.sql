-- Lists the key families of each conversation's unresolved rows in quarantine (not of elements of rows that are usable otherwise), and whether the conversation is live (neither deleted nor orphaned).
SELECT DISTINCT
  q.source_id, q.store, q.conversation_id, q.family,
  c.conversation_id IS NOT NULL AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
FROM quarantine q
LEFT JOIN conversations c ON c.source_id = q.source_id AND c.conversation_id = q.conversation_id
WHERE q.resolved_load_id IS NULL AND q.conversation_id IS NOT NULL AND q.value_type IS DISTINCT FROM 'element'
ORDER BY ALL;
