-- What happened, in order? One row per live message with its project, title, session and tool call: no join needed.
-- duration_ms is that of the tool call, turn_duration_ms and thinking_duration_ms are those of the message.
-- Of a message with several tool calls the first is shown; live_tool_calls has all.
CREATE OR REPLACE VIEW timeline AS
SELECT m.source_id, c.project, c.display_title AS title, m.conversation_id, c.session_id, m.position, m.created_at, m.role, m.kind, m.text, m.thinking,
       t.tool, t.tool_kind, t.command, t.file_path, t.is_error,
       m.message_id, m.turn, m.model, m.input_tokens, m.output_tokens, m.turn_duration_ms, m.thinking_duration_ms, t.duration_ms, t.exit_code, t.mcp_server, t.mcp_tool, m.is_repeat
FROM messages m
JOIN live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
LEFT JOIN tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id
    AND t.call_index = 0 AND t.deleted_at IS NULL -- the calls of a live message are numbered from 0
WHERE m.deleted_at IS NULL;
COMMENT ON VIEW timeline IS 'One row per live message with its project, title, session and (first) tool call; no join needed.';
