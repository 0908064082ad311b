-- Subagents are the conversations that a claim names, but for best-of-N copies. Only subagents have a parent.
SELECT 'conversations' AS table_name, c.source_id || '/' || c.conversation_id AS row_key,
       CASE WHEN NOT c.is_subagent AND c.parent_conversation_id IS NOT NULL THEN 'a parent, but no subagent'
            WHEN c.parent_conversation_id = c.conversation_id THEN 'its own parent'
            WHEN c.is_subagent THEN 'a subagent that no claim names'
            ELSE 'a claim names it, but it is no subagent' END AS problem
FROM conversations c
LEFT JOIN (SELECT DISTINCT source_id, conversation_id FROM _subagent_claims WHERE rank <= 2) s
    ON s.source_id = c.source_id AND s.conversation_id = c.conversation_id
WHERE (NOT c.is_subagent AND c.parent_conversation_id IS NOT NULL)
   OR c.parent_conversation_id = c.conversation_id
   OR c.is_subagent <> (s.conversation_id IS NOT NULL AND c.best_of_parent_id IS NULL);
