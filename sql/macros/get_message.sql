-- FROM get_message('conversation id', 'message id'): the live message with that id: all columns of live_messages, then those of its (first) tool call. From id on, the columns
-- have the names that chat viewers ask for; content is what a reader would see, as in list_messages.
CREATE OR REPLACE MACRO get_message(conv, msg) AS TABLE
SELECT m.* EXCLUDE (deleted_at),
       t.tool, t.tool_kind, t.name AS tool_name, t.status AS tool_status, t.user_decision, t.is_error, t.exit_code, t.params, t.result,
       t.error AS tool_error, t.command, t.file_path, t.started_at AS tool_started_at, t.duration_ms AS tool_duration_ms,
       m.message_id AS id,
       CASE WHEN trim(m.text, chr(32) || chr(9) || chr(10) || chr(13)) <> '' THEN m.text
            WHEN m.kind = 'tool_call' THEN concat_ws(' ', coalesce(t.tool, t.name), coalesce(t.command, t.file_path))
            WHEN m.kind = 'error' THEN coalesce(m.error, m.error_code)
            ELSE coalesce(m.thinking, m.text) END AS content,
       'markdown' AS content_type,
       CASE m.role WHEN 'user' THEN 'user' WHEN 'assistant' THEN 'bot' ELSE 'system' END AS sender_type,
       CASE m.role WHEN 'user' THEN 'User' WHEN 'assistant' THEN coalesce(m.model, 'Assistant') ELSE 'System' END AS sender_name,
       m.role = 'user' AND NOT m.is_simulated AS is_outgoing,
       m.created_at AS "timestamp"
FROM live_messages m
LEFT JOIN live_tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id
    AND t.call_index = 0
WHERE m.conversation_id = conv AND m.message_id = msg
ORDER BY m.source_id;
COMMENT ON MACRO TABLE get_message IS 'A live message, whole, with its first tool call. conv: the conversation''s id; msg: the message''s id.';
