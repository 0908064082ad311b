-- The attachments of a message, and those of a conversation, are numbered from 0 without holes.
-- A load runs it for changed conversations only.
SELECT 'attachments' AS table_name, source_id || '/' || conversation_id || '/' || coalesce(message_id, '(conversation)') AS row_key,
       'ordinal does not run from 0 to the count less 1' AS problem
FROM attachments
GROUP BY source_id, conversation_id, message_id
HAVING min(ordinal) <> 0 OR max(ordinal) <> count(*) - 1;
