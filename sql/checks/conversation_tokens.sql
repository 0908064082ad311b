-- The token sums of a conversation are those of its live messages, NULL where none records any.
-- A load runs it for changed conversations only.
WITH figures AS (
    SELECT source_id, conversation_id, TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens
    FROM messages
    WHERE deleted_at IS NULL
    GROUP BY source_id, conversation_id
)
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key, 'token sums are not those of its messages' AS problem
FROM conversations c
LEFT JOIN figures f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
WHERE c.input_tokens IS DISTINCT FROM f.input_tokens OR c.output_tokens IS DISTINCT FROM f.output_tokens;
