-- Every conversation belongs to a source.
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key, 'no such source' AS problem
FROM conversations c
ANTI JOIN sources s ON s.source_id = c.source_id;
