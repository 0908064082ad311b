-- Which messages are what Cursor shows, and which were left behind? One row per message, also of those that Cursor has no longer, in every source that
-- has it: join it to live_messages to count each once.
-- branch: active, what the conversation's header list (or inline array) names; abandoned, what it does not name: Cursor drops what follows an
-- edited prompt from the list and keeps the rows; deleted, what went from the store while the conversation stayed. Where there is no list
-- (header_count 0, or only messages are left), nothing is known to be abandoned. A conversation that was deleted as a whole keeps its branches.
CREATE OR REPLACE VIEW message_branches AS
SELECT m.source_id, m.conversation_id, m.message_id, m.position, m.deleted_at,
       CASE WHEN m.deleted_at IS NOT NULL AND (c.deleted_at IS NULL OR m.deleted_at < c.deleted_at) THEN 'deleted'
            WHEN NOT m.is_listed AND c.header_count > 0 AND c.status IS DISTINCT FROM 'orphaned' THEN 'abandoned'
            ELSE 'active' END AS branch
FROM messages m
JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id;
COMMENT ON VIEW message_branches IS 'For each message: active, abandoned (an edited prompt left it behind) or deleted (gone from the store while its conversation stayed).';
