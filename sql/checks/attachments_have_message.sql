-- An attachment with a message id belongs to an existing message.
-- A load runs it for changed conversations only.
SELECT 'attachments' AS table_name, a.source_id || '/' || a.conversation_id || '/' || a.message_id || '/' || CAST(a.ordinal AS VARCHAR) AS row_key,
       'no such message' AS problem
FROM attachments a
ANTI JOIN messages m ON m.source_id = a.source_id AND m.conversation_id = a.conversation_id AND m.message_id = a.message_id
WHERE a.message_id IS NOT NULL;
