-- Gives tool calls that an earlier version made, and that no load may make again (of deleted conversations, of stores that cannot be read), an outcome and what follows from it.
UPDATE tool_calls AS t
SET outcome = o.outcome, is_error = CASE o.outcome WHEN 'error' THEN true WHEN 'ok' THEN false END
FROM (
    SELECT rowid AS row, CASE
        WHEN lower(user_decision) = 'rejected' OR lower(status) = 'rejected' THEN 'rejected'
        WHEN lower(status) IN ('cancelled', 'canceled', 'denied') THEN 'cancelled'
        WHEN lower(status) = 'aborted' THEN 'aborted'
        WHEN lower(status) IN ('error', 'failed') OR error <> '' OR exit_code <> 0 OR is_error THEN 'error'
        WHEN lower(status) IN ('completed', 'success') OR NOT is_error THEN 'ok'
        WHEN lower(status) IN ('loading', 'pending') THEN 'pending' END AS outcome
    FROM tool_calls
    WHERE outcome IS NULL
) o
WHERE t.rowid = o.row AND o.outcome IS NOT NULL;
