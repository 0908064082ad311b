-- First, last and activity times of a conversation follow from its live messages with real times and its own times.
-- A load runs it for changed conversations only.
WITH figures AS (
    SELECT source_id, conversation_id, min(created_at) AS first_at, max(created_at) AS last_at
    FROM messages
    WHERE deleted_at IS NULL AND created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
    GROUP BY source_id, conversation_id
)
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key,
       CASE WHEN c.first_message_at IS DISTINCT FROM f.first_at THEN 'first_message_at is not the earliest real message time'
            WHEN c.last_message_at IS DISTINCT FROM f.last_at THEN 'last_message_at is not the latest real message time'
            ELSE 'last_activity_at is not the latest of its times' END AS problem
FROM conversations c
LEFT JOIN figures f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
WHERE c.first_message_at IS DISTINCT FROM f.first_at
   OR c.last_message_at IS DISTINCT FROM f.last_at
   OR c.last_activity_at IS DISTINCT FROM greatest(c.created_at, c.updated_at, f.last_at);
