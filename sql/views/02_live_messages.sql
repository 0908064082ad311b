-- Which messages does Cursor have now? Those not deleted, of conversations that are neither deleted nor orphaned.
-- Of a conversation that several sources have, those of the primary.
CREATE OR REPLACE VIEW live_messages AS
SELECT m.*
FROM messages m
SEMI JOIN live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
WHERE m.deleted_at IS NULL;
COMMENT ON VIEW live_messages IS 'Messages that Cursor has now: without deleted ones and those of deleted or orphaned conversations, and of copies.';
