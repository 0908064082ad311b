-- is_error follows from outcome: true for error, false for ok, else NULL. And outcome is at least what the columns of the call say, in the order rejected, cancelled or
-- denied, aborted, error, ok, pending: another place that has the call may say more than they do.
-- A load runs it for changed conversations only.
SELECT 'tool_calls' AS table_name,
       source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR) AS row_key,
       'outcome ' || coalesce(outcome, 'NULL') || ' does not follow from user_decision, status, error and exit_code, or is_error from it' AS problem
FROM tool_calls
WHERE is_error IS DISTINCT FROM CASE outcome WHEN 'error' THEN true WHEN 'ok' THEN false END
   OR coalesce(list_position(['pending', 'ok', 'error', 'aborted', 'cancelled', 'rejected'], outcome), 0) < CASE
    WHEN lower(user_decision) = 'rejected' OR lower(status) = 'rejected' THEN 6
    WHEN lower(status) IN ('cancelled', 'canceled', 'denied') THEN 5
    WHEN lower(status) = 'aborted' THEN 4
    WHEN lower(status) IN ('error', 'failed') OR error <> '' OR exit_code <> 0 THEN 3
    WHEN lower(status) IN ('completed', 'success') THEN 2
    WHEN lower(status) IN ('loading', 'pending') THEN 1
    ELSE 0 END;
