-- A message has a time if and only if it has a source of the time.
-- A load runs it for changed conversations only.
SELECT 'messages' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key,
       CASE WHEN created_at IS NULL THEN 'created_at_source without created_at' ELSE 'created_at without created_at_source' END AS problem
FROM messages
WHERE (created_at IS NULL) <> (created_at_source IS NULL);
