-- A conversation names the one that it was forked from if and only if it has messages that repeat; a fork is neither a subagent nor a best-of-N copy, which may
-- have messages that repeat, too. A best-of-N copy is no subagent, and not its own parent.
WITH repeats AS (
    SELECT source_id, conversation_id, count(*) AS messages
    FROM messages
    WHERE is_repeat
    GROUP BY source_id, conversation_id
)
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key,
       CASE WHEN c.best_of_parent_id = c.conversation_id OR c.forked_from = c.conversation_id THEN 'its own parent'
            WHEN c.is_subagent THEN 'a subagent, but a copy or a fork'
            WHEN c.best_of_parent_id IS NOT NULL AND c.forked_from IS NOT NULL THEN 'a copy and a fork'
            WHEN c.forked_from IS NULL THEN 'messages that repeat, but no conversation that they are from'
            ELSE 'a fork without a message that repeats' END AS problem
FROM conversations c
LEFT JOIN repeats r ON r.source_id = c.source_id AND r.conversation_id = c.conversation_id
WHERE c.best_of_parent_id = c.conversation_id OR c.forked_from = c.conversation_id
   OR (c.is_subagent AND (c.best_of_parent_id IS NOT NULL OR c.forked_from IS NOT NULL))
   OR (c.best_of_parent_id IS NOT NULL AND c.forked_from IS NOT NULL)
   OR (c.forked_from IS NOT NULL AND r.messages IS NULL)
   OR (c.forked_from IS NULL AND r.messages IS NOT NULL AND NOT c.is_subagent AND c.best_of_parent_id IS NULL)
UNION ALL
SELECT 'conversations', c.source_id || '/' || c.conversation_id, 'no conversation has the id that it was forked from'
FROM conversations c
ANTI JOIN (SELECT DISTINCT conversation_id FROM conversations) o ON o.conversation_id = c.forked_from
WHERE c.forked_from IS NOT NULL;
