-- Lists every conversation: whether it is deleted, whether it is an orphan, and whether only messages of it were ever seen. That holds if the title and
-- the mode, which are also here, are none or those that lists give it (merge/conversations.sql has the same condition).
SELECT
  source_id, conversation_id,
  deleted_at IS NOT NULL,
  status IS NOT DISTINCT FROM 'orphaned',
  (o.status IS NOT DISTINCT FROM 'orphaned' AND o.header_count = 0 AND o.format_version IS NULL
    AND o.created_at IS NULL AND o.updated_at IS NULL AND o.model IS NULL) AS nameless,
  CASE WHEN nameless THEN title END,
  CASE WHEN nameless THEN mode END
FROM conversations o;
