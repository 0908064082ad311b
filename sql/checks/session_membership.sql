-- A live conversation has a session if and only if it has a start and is no orphan, not empty (no message, and none missing) and no copy of a primary in another source. The session exists, and is of the
-- conversation's source and project unless the conversation is a subagent or a best-of-N copy.
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key,
       CASE WHEN c.session_id IS NULL THEN 'no session'
            WHEN s.session_id IS NULL THEN 'no such session'
            WHEN c.deleted_at IS NOT NULL OR c.status = 'orphaned' THEN 'a session, but deleted or orphaned'
            WHEN k.source_id IS NOT NULL THEN 'a session, but a copy'
            WHEN c.message_count = 0 AND c.missing_message_count = 0 THEN 'a session, but empty'
            ELSE 'a session of another source or project' END AS problem
FROM conversations c
LEFT JOIN sessions s ON s.session_id = c.session_id
LEFT JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
WHERE (c.session_id IS NOT NULL AND s.session_id IS NULL)
   OR (c.session_id IS NOT NULL AND (c.deleted_at IS NOT NULL OR c.status = 'orphaned' OR (c.message_count = 0 AND c.missing_message_count = 0)))
   OR (c.session_id IS NOT NULL AND k.source_id IS NOT NULL)
   OR (NOT c.is_subagent AND c.best_of_parent_id IS NULL AND (s.source_id <> c.source_id OR s.project_uri IS DISTINCT FROM c.project_uri) AND c.session_id IS NOT NULL)
   OR (c.session_id IS NULL AND k.source_id IS NULL AND NOT c.is_subagent AND c.best_of_parent_id IS NULL AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
       AND (c.message_count > 0 OR c.missing_message_count > 0)
       AND coalesce(c.created_at, c.first_message_at, c.updated_at) IS NOT NULL);
