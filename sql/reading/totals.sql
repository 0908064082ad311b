-- Sums up a warehouse: live conversations that are not empty (a message, or one that is missing) with their messages and tool calls, those that several sources have once; the empty ones; sessions; live orphans with their
-- messages and tool calls; and the rows of conversations that no store has deleted and that are not counted, as they are copies. It reads only the figures in conversations,
-- sessions and conversation_copies.
SELECT
  count(*) FILTER (WHERE live AND NOT is_empty),
  count(*) FILTER (WHERE live AND is_empty),
  coalesce(TRY_CAST(sum(message_count) FILTER (WHERE live) AS BIGINT), 0),
  coalesce(TRY_CAST(sum(tool_call_count) FILTER (WHERE live) AS BIGINT), 0),
  (SELECT count(*) FROM sessions),
  count(*) FILTER (WHERE lost),
  coalesce(sum(message_count) FILTER (WHERE lost), 0)::BIGINT,
  coalesce(sum(tool_call_count) FILTER (WHERE lost), 0)::BIGINT,
  count(*) FILTER (WHERE copied)
FROM (
  SELECT message_count, tool_call_count, message_count = 0 AND missing_message_count = 0 AS is_empty,
    c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned' AND k.source_id IS NULL AS live,
    c.deleted_at IS NULL AND c.status IS NOT DISTINCT FROM 'orphaned' AND k.source_id IS NULL AS lost,
    c.deleted_at IS NULL AND k.source_id IS NOT NULL AS copied
  FROM conversations c
  LEFT JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
);
