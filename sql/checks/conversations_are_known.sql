-- Every conversation that is not deleted is remembered, so that the next run can tell whether it changed.
-- A load runs it for changed conversations only.
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key, 'not in _owners' AS problem
FROM conversations c
ANTI JOIN (FROM _owners WHERE kind = 'conversation') o ON o.source_id = c.source_id AND o.id = c.conversation_id
WHERE c.deleted_at IS NULL;
