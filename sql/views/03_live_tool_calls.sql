-- Which tool calls does Cursor have now? Those not deleted, of conversations that are neither deleted nor orphaned.
-- Of a conversation that several sources have, those of the primary. A tool call is deleted with its message: the loader marks both.
-- created_at, turn, model and is_repeat are those of the message that made the call, project and title those of its conversation.
CREATE OR REPLACE VIEW live_tool_calls AS
SELECT t.*, m.created_at, m.turn, m.model, c.project, c.project_uri, c.display_title AS title, coalesce(m.is_repeat, false) AS is_repeat
FROM tool_calls t
JOIN live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
LEFT JOIN messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
WHERE t.deleted_at IS NULL;
COMMENT ON VIEW live_tool_calls IS 'Tool calls that Cursor has now, with time, turn and model of their message, and project and title of their conversation: without deleted ones and those of deleted or orphaned conversations, and of copies.';
