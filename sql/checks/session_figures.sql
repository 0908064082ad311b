-- The figures of a session are those of its conversations without subagents and best-of-N copies; every session has at least one.
WITH figures AS (
    SELECT session_id, count(*) AS conversations,
           TRY_CAST(sum(message_count) AS BIGINT) AS messages,
           TRY_CAST(sum(user_message_count) AS BIGINT) AS users,
           TRY_CAST(sum(tool_call_count) AS BIGINT) AS calls,
           min(coalesce(created_at, first_message_at, updated_at)) AS started_at,
           coalesce(max(last_message_at), max(coalesce(created_at, first_message_at, updated_at))) AS ended_at
    FROM conversations
    WHERE NOT is_subagent AND best_of_parent_id IS NULL AND session_id IS NOT NULL
    GROUP BY session_id
)
SELECT 'sessions' AS table_name, s.session_id AS row_key,
       CASE WHEN f.session_id IS NULL THEN 'no conversation' ELSE 'figures or times are not those of its conversations' END AS problem
FROM sessions s
LEFT JOIN figures f ON f.session_id = s.session_id
WHERE f.session_id IS NULL
   OR (s.conversation_count, s.message_count, s.user_message_count, s.tool_call_count) IS DISTINCT FROM (f.conversations, f.messages, f.users, f.calls)
   OR s.started_at <> f.started_at
   OR s.ended_at <> f.ended_at;
