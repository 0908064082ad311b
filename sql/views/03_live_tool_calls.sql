-- Which tool calls does Cursor have now? Those not deleted, of conversations that are neither deleted nor orphaned.
-- Of a conversation that several sources have, those of the primary. A tool call is deleted with its message: the loader marks both.
CREATE OR REPLACE VIEW live_tool_calls AS
SELECT t.*
FROM tool_calls t
SEMI JOIN live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
WHERE t.deleted_at IS NULL;
COMMENT ON VIEW live_tool_calls IS 'Tool calls that Cursor has now: without deleted ones and those of deleted or orphaned conversations, and of copies.';
