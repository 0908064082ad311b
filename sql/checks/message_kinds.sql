-- A live message is of kind tool_call if and only if it has a live tool call; one of kind text has a text.
-- A load runs it for changed conversations only.
SELECT 'messages' AS table_name, m.source_id || '/' || m.conversation_id || '/' || m.message_id AS row_key,
       'kind ' || m.kind || CASE WHEN t.message_id IS NULL THEN ' without its content' ELSE ' with a tool call' END AS problem
FROM messages m
LEFT JOIN tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id
    AND t.call_index = 0 AND t.deleted_at IS NULL
WHERE m.deleted_at IS NULL
  AND ((m.kind = 'tool_call') <> (t.message_id IS NOT NULL)
    OR (m.kind = 'text' AND m.text IS NULL));
