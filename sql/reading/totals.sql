-- Sums up a warehouse: live conversations with their messages and tool calls; sessions; and live orphans with their messages and tool calls. It reads
-- only the figures in conversations and sessions.
SELECT
  count(*) FILTER (WHERE live),
  coalesce(TRY_CAST(sum(message_count) FILTER (WHERE live) AS BIGINT), 0),
  coalesce(TRY_CAST(sum(tool_call_count) FILTER (WHERE live) AS BIGINT), 0),
  (SELECT count(*) FROM sessions),
  count(*) FILTER (WHERE lost),
  coalesce(sum(message_count) FILTER (WHERE lost), 0)::BIGINT,
  coalesce(sum(tool_call_count) FILTER (WHERE lost), 0)::BIGINT
FROM (
  SELECT *, deleted_at IS NULL AND status IS DISTINCT FROM 'orphaned' AS live, deleted_at IS NULL AND NOT live AS lost FROM conversations
);
