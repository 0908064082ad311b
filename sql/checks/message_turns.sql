-- The turn of a live message is the number of user messages up to and with it.
-- Conversation by conversation.
SELECT 'messages' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key,
       'turn is ' || coalesce(CAST(turn AS VARCHAR), 'NULL') || ', not ' || CAST(wanted AS VARCHAR) AS problem
FROM (
    SELECT source_id, conversation_id, message_id, turn,
           count(*) FILTER (WHERE role = 'user')
               OVER (PARTITION BY source_id, conversation_id ORDER BY position ROWS UNBOUNDED PRECEDING) AS wanted
    FROM messages
    WHERE deleted_at IS NULL
)
WHERE turn IS DISTINCT FROM wanted;
