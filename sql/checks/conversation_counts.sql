-- The counts of a conversation are those of its live messages and tool calls.
-- A load runs it for changed conversations only.
WITH message_figures AS (
    SELECT source_id, conversation_id, count(*) AS messages,
           count(*) FILTER (WHERE role = 'user' AND is_simulated IS NOT TRUE) AS users,
           count(*) FILTER (WHERE role = 'assistant') AS assistants,
           count(*) FILTER (WHERE NOT is_listed) AS unlisted
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
           CASE WHEN c.tool_call_count <> coalesce(t.calls, 0) THEN 'tool_call_count' END) AS wrong
    FROM conversations c
    LEFT JOIN message_figures m ON m.source_id = c.source_id AND m.conversation_id = c.conversation_id
    LEFT JOIN call_figures t ON t.source_id = c.source_id AND t.conversation_id = c.conversation_id
)
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key, 'not as in its rows: ' || wrong AS problem
FROM failures
WHERE wrong <> '';
