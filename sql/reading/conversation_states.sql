-- Lists every conversation: whether it is deleted, whether it is an orphan, and whether only messages of it were ever seen (merge/conversations.sql has
-- the same condition).
SELECT
  source_id, conversation_id,
  deleted_at IS NOT NULL,
  status IS NOT DISTINCT FROM 'orphaned',
  (o.status IS NOT DISTINCT FROM 'orphaned' AND o.header_count = 0 AND o.title IS NULL AND o.format_version IS NULL
    AND o.created_at IS NULL AND o.updated_at IS NULL AND o.mode IS NULL AND o.model IS NULL)
FROM conversations o;
