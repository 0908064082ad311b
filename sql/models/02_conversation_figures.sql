-- Computes the figures of each changed conversation from its live messages and tool calls.
--
-- A deleted conversation whose bubbles are still in the store has the figures of those bubbles. Token sums stay NULL if no message records any. The
-- loader sets header_count and missing_message_count: only the store has them.
UPDATE conversations AS c
SET message_count = f.message_count,
    user_message_count = f.user_message_count,
    assistant_message_count = f.assistant_message_count,
    unlisted_message_count = f.unlisted_message_count,
    tool_call_count = f.tool_call_count,
    input_tokens = f.input_tokens,
    output_tokens = f.output_tokens,
    first_message_at = f.first_message_at,
    last_message_at = f.last_message_at,
    last_activity_at = f.last_activity_at
FROM (
    WITH changed AS (
        SELECT DISTINCT source_id, conversation_id FROM _changed
    ), message_figures AS (
        SELECT m.source_id, m.conversation_id,
               count(*) AS message_count,
               count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated) AS user_message_count,
               count(*) FILTER (WHERE m.role = 'assistant') AS assistant_message_count,
               count(*) FILTER (WHERE NOT m.is_listed) AS unlisted_message_count,
               TRY_CAST(sum(m.input_tokens) AS BIGINT) AS input_tokens,
               TRY_CAST(sum(m.output_tokens) AS BIGINT) AS output_tokens,
               -- inherited times do not say when something happened
               min(m.created_at) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS first_message_at,
               max(m.created_at) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS last_message_at
        FROM messages m
        SEMI JOIN changed x ON x.source_id = m.source_id AND x.conversation_id = m.conversation_id
        WHERE m.deleted_at IS NULL
        GROUP BY m.source_id, m.conversation_id
    ), call_figures AS (
        SELECT t.source_id, t.conversation_id, count(*) AS tool_call_count
        FROM tool_calls t
        SEMI JOIN changed x ON x.source_id = t.source_id AND x.conversation_id = t.conversation_id
        WHERE t.deleted_at IS NULL
        GROUP BY t.source_id, t.conversation_id
    )
    SELECT k.source_id, k.conversation_id,
           coalesce(m.message_count, 0) AS message_count,
           coalesce(m.user_message_count, 0) AS user_message_count,
           coalesce(m.assistant_message_count, 0) AS assistant_message_count,
           coalesce(m.unlisted_message_count, 0) AS unlisted_message_count,
           coalesce(t.tool_call_count, 0) AS tool_call_count,
           m.input_tokens, m.output_tokens, m.first_message_at, m.last_message_at,
           greatest(k.created_at, k.updated_at, m.last_message_at) AS last_activity_at -- greatest ignores NULLs
    FROM conversations k
    JOIN changed x ON x.source_id = k.source_id AND x.conversation_id = k.conversation_id
    LEFT JOIN message_figures m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id
    LEFT JOIN call_figures t ON t.source_id = k.source_id AND t.conversation_id = k.conversation_id
) f
WHERE f.source_id = c.source_id AND f.conversation_id = c.conversation_id;
