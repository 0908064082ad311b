-- Which conversations does Cursor have now? All but those deleted and the orphans (messages whose conversation row is gone).
-- A conversation that several sources have (a backup, a new laptop) is one row: its primary, see conversation_copies.
-- A cloud agent that a composer shows is the composer's row.
-- A project has the name that it has now, see project_aliases.
CREATE OR REPLACE VIEW live_conversations AS
SELECT c.*
FROM all_conversations c
ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
WHERE c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned';
COMMENT ON VIEW live_conversations IS 'Conversations that Cursor has now, each once: without deleted and orphaned ones, and without copies in further sources.';
