-- How many rows does each table hold, and how many of them does Cursor have no longer?
-- One row per table of what was read, the rows of every source together; live, orphaned and deleted are all its rows. deleted: the row has a deletion
-- time, or its conversation has one. orphaned: kept, though Cursor no longer lists the conversation (its row is gone or unusable, status 'orphaned'): of
-- table conversations those groups of rows themselves, of the others the rows in them.
-- Coverage: deleted and orphaned are NULL where a table keeps no deleted rows, or holds rows of no conversation.
CREATE OR REPLACE VIEW report_tables AS
WITH away AS (
    SELECT source_id, conversation_id, status IS NOT DISTINCT FROM 'orphaned' AS is_orphan
    FROM conversations
    WHERE deleted_at IS NOT NULL OR status = 'orphaned'
), counted AS (
    -- each table by itself: one without rows has a row here, too
    SELECT 'messages' AS table_name, count(*) AS rows, count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan) AS deleted, count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan) AS orphaned
    FROM messages t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'tool_calls', count(*), count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan), count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan)
    FROM tool_calls t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'attachments', count(*), count(*) FILTER (WHERE NOT c.is_orphan), count(*) FILTER (WHERE c.is_orphan)
    FROM attachments t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'checkpoints', count(*), count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan), count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan)
    FROM checkpoints t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'code_edits', count(*), count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan), count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan)
    FROM code_edits t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'code_diffs', count(*), count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan), count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan)
    FROM code_diffs t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'model_usage', count(*), count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan), count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan)
    FROM model_usage t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'context_parts', count(*), count(*) FILTER (WHERE t.deleted_at IS NOT NULL OR NOT c.is_orphan), count(*) FILTER (WHERE t.deleted_at IS NULL AND c.is_orphan)
    FROM context_parts t LEFT JOIN away c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    UNION ALL
    SELECT 'conversations', count(*), count(deleted_at), count(*) FILTER (WHERE deleted_at IS NULL AND status = 'orphaned') FROM conversations
    UNION ALL SELECT 'prompts', count(*), count(deleted_at), NULL FROM prompts
    UNION ALL SELECT 'repositories', count(*), count(deleted_at), NULL FROM repositories
    UNION ALL SELECT 'commits', count(*), count(deleted_at), NULL FROM commits
    UNION ALL SELECT 'commit_files', count(*), count(deleted_at), NULL FROM commit_files
    UNION ALL SELECT 'sources', count(*), NULL, NULL FROM sources
    UNION ALL SELECT 'workspaces', count(*), NULL, NULL FROM workspaces
    UNION ALL SELECT 'daily_edit_stats', count(*), NULL, NULL FROM daily_edit_stats
    UNION ALL SELECT 'sessions', count(*), NULL, NULL FROM sessions
)
SELECT table_name,
       TRY_CAST(rows - coalesce(deleted, 0) - coalesce(orphaned, 0) AS BIGINT) AS live,
       TRY_CAST(deleted AS BIGINT) AS deleted,
       TRY_CAST(orphaned AS BIGINT) AS orphaned
FROM counted;
COMMENT ON VIEW report_tables IS 'Rows of each table: live, deleted, and orphaned (of conversations that Cursor no longer lists); NULL where it knows no such rows.';
