-- The live tool calls of a message are numbered from 0 without holes.
-- A load runs it for changed conversations only.
SELECT 'tool_calls' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key,
       'call_index does not run from 0 to the count less 1' AS problem
FROM tool_calls
WHERE deleted_at IS NULL
GROUP BY source_id, conversation_id, message_id
HAVING min(call_index) <> 0 OR max(call_index) <> count(*) - 1;
