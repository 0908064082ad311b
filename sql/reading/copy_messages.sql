-- Counts the live messages that only a copy of a live conversation has, and not its primary: each once. No live view has them.
WITH copied AS (
  SELECT k.source_id, k.conversation_id, k.primary_source_id
  FROM conversation_copies k
  JOIN conversations c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id
  WHERE NOT k.is_primary AND k.primary_conversation_id IS NULL AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
)
SELECT count(*)
FROM (
  SELECT DISTINCT k.primary_source_id, m.conversation_id, m.message_id
  FROM messages m
  JOIN copied k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
  ANTI JOIN (
    SELECT p.source_id, p.conversation_id, p.message_id
    FROM messages p
    SEMI JOIN copied k ON k.primary_source_id = p.source_id AND k.conversation_id = p.conversation_id
    WHERE p.deleted_at IS NULL
  ) p ON p.source_id = k.primary_source_id AND p.conversation_id = m.conversation_id AND p.message_id = m.message_id
  WHERE m.deleted_at IS NULL
);
