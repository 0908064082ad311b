-- A live tool call has its message's position, and the live calls of a message are numbered from 0 without holes.
-- A load runs it for changed conversations only.
SELECT 'tool_calls' AS table_name,
       t.source_id || '/' || t.conversation_id || '/' || t.message_id || '/' || CAST(t.call_index AS VARCHAR) AS row_key,
       'position is not the message''s' AS problem
FROM tool_calls t
JOIN messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
WHERE t.deleted_at IS NULL AND m.deleted_at IS NULL AND t.position IS DISTINCT FROM m.position
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id, 'call_index does not run from 0 to the count less 1'
FROM tool_calls
WHERE deleted_at IS NULL
GROUP BY source_id, conversation_id, message_id
HAVING min(call_index) <> 0 OR max(call_index) <> count(*) - 1;
