-- A deleted message or tool call has no position.
-- A load runs it for changed conversations only.
SELECT 'messages' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key, 'deleted, but has a position' AS problem
FROM messages
WHERE deleted_at IS NOT NULL AND position IS NOT NULL
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR), 'deleted, but has a position'
FROM tool_calls
WHERE deleted_at IS NOT NULL AND position IS NOT NULL;
