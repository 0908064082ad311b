-- Which conversations does Cursor have now? All but those deleted and the orphans (messages whose conversation row is gone).
CREATE OR REPLACE VIEW live_conversations AS
SELECT *
FROM conversations
WHERE deleted_at IS NULL AND status IS DISTINCT FROM 'orphaned';
COMMENT ON VIEW live_conversations IS 'Conversations that Cursor has now: without deleted and orphaned ones.';
