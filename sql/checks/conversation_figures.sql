-- The counts of a conversation and its token sums (NULL where none is recorded) are those of its live messages and tool calls. Its first, last and activity times
-- follow from its live messages with recorded times and its own times.
-- A load runs it for changed conversations only.
WITH message_figures AS (
    SELECT source_id, conversation_id, count(*) AS messages,
           count(*) FILTER (WHERE role = 'user' AND NOT is_simulated) AS users,
           count(*) FILTER (WHERE role = 'assistant') AS assistants,
           count(*) FILTER (WHERE NOT is_listed) AS unlisted,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens,
           TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
           min(created_at) FILTER (WHERE created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS first_at,
           max(created_at) FILTER (WHERE created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS last_at
    FROM messages
    WHERE deleted_at IS NULL
    GROUP BY source_id, conversation_id
), call_figures AS (
    SELECT source_id, conversation_id, count(*) AS calls
    FROM tool_calls
    WHERE deleted_at IS NULL
    GROUP BY source_id, conversation_id
), failures AS (
    SELECT c.source_id, c.conversation_id, concat_ws(', ',
           CASE WHEN c.message_count <> coalesce(m.messages, 0) THEN 'message_count' END,
           CASE WHEN c.user_message_count <> coalesce(m.users, 0) THEN 'user_message_count' END,
           CASE WHEN c.assistant_message_count <> coalesce(m.assistants, 0) THEN 'assistant_message_count' END,
           CASE WHEN c.unlisted_message_count <> coalesce(m.unlisted, 0) THEN 'unlisted_message_count' END,
           CASE WHEN c.tool_call_count <> coalesce(t.calls, 0) THEN 'tool_call_count' END,
           CASE WHEN c.input_tokens IS DISTINCT FROM m.input_tokens THEN 'input_tokens' END,
           CASE WHEN c.output_tokens IS DISTINCT FROM m.output_tokens THEN 'output_tokens' END,
           CASE WHEN c.first_message_at IS DISTINCT FROM m.first_at THEN 'first_message_at' END,
           CASE WHEN c.last_message_at IS DISTINCT FROM m.last_at THEN 'last_message_at' END,
           CASE WHEN c.last_activity_at IS DISTINCT FROM greatest(c.created_at, c.updated_at, m.last_at) THEN 'last_activity_at' END) AS wrong
    FROM conversations c
    LEFT JOIN message_figures m ON m.source_id = c.source_id AND m.conversation_id = c.conversation_id
    LEFT JOIN call_figures t ON t.source_id = c.source_id AND t.conversation_id = c.conversation_id
)
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key, 'not as in its rows: ' || wrong AS problem
FROM failures
WHERE wrong <> '';
