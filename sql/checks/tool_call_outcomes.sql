-- is_error is NULL for what was rejected or cancelled; true for status error, an error text, or an exit code that is not 0; false for completed and
-- success; NULL otherwise. Of a call in the agent's graph the message with its result may say it, too, where its own result does not say that it failed.
-- A load runs it for changed conversations only.
SELECT 'tool_calls' AS table_name,
       source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR) AS row_key,
       'is_error does not follow from user_decision, status, error and exit_code' AS problem
FROM tool_calls
WHERE is_error IS DISTINCT FROM CASE
    WHEN user_decision = 'rejected' OR status IN ('cancelled', 'denied') THEN NULL
    WHEN status = 'error' OR error <> '' OR exit_code <> 0 THEN true
    WHEN result_origin = 'graph' AND (status IS NULL OR status = 'success') THEN is_error
    WHEN status IN ('completed', 'success') THEN false END;
