-- FROM list_messages('conversation id', max_rows := 100): its live messages by position. text is the text of the message; content is what a reader
-- would see: the text, the thinking or the error; for a tool call without text, its tool and its subject. From id on, the columns have the names that chat viewers ask for.
CREATE OR REPLACE MACRO list_messages(conv, max_rows := 100) AS TABLE
SELECT m.conversation_id, m.message_id, m.position, m.turn, m.role, m.kind, m.text, t.tool, m.model, m.created_at,
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
WHERE m.conversation_id = conv
ORDER BY m.source_id, m.position
LIMIT max_rows;
COMMENT ON MACRO TABLE list_messages IS 'The live messages of a conversation, by position. conv: the conversation''s id; max_rows: how many (100).';
