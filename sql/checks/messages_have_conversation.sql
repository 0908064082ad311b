-- Every message belongs to a conversation.
-- A load runs it for changed conversations only.
SELECT 'messages' AS table_name, m.source_id || '/' || m.conversation_id || '/' || m.message_id AS row_key, 'no such conversation' AS problem
FROM messages m
ANTI JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id;
