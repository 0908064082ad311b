-- Every tool call belongs to a message, and a live one to a live message, of which it has the position.
-- A load runs it for changed conversations only.
SELECT 'tool_calls' AS table_name,
       t.source_id || '/' || t.conversation_id || '/' || t.message_id || '/' || CAST(t.call_index AS VARCHAR) AS row_key,
       CASE WHEN m.message_id IS NULL THEN 'no such message' WHEN m.deleted_at IS NOT NULL THEN 'a live tool call of a deleted message'
            ELSE 'position is not the message''s' END AS problem
FROM tool_calls t
LEFT JOIN messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
WHERE m.message_id IS NULL OR (t.deleted_at IS NULL AND (m.deleted_at IS NOT NULL OR t.position IS DISTINCT FROM m.position));
