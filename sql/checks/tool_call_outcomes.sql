-- is_error is true for status error or an error text, false for completed and success, NULL otherwise.
-- A load runs it for changed conversations only.
SELECT 'tool_calls' AS table_name,
       source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR) AS row_key,
       'is_error does not follow from status and error' AS problem
FROM tool_calls
WHERE is_error IS DISTINCT FROM CASE WHEN status = 'error' OR error <> '' THEN true WHEN status IN ('completed', 'success') THEN false END;
