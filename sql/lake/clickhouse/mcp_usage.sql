-- Made by translate.py from sql/answers/12_mcp_usage.sql, sha256 c5f8afd6be03b8ac16942b8991fad327b2ccc56e7bca79546cd91bfcd8a51ed6
-- Calls, failures and times per MCP server and tool; outcome_known and duration_known of calls are recorded.
CREATE OR REPLACE VIEW mcp_usage AS
SELECT
  t.machine_id AS machine_id,
  t.mcp_server AS mcp_server,
  COALESCE(t.mcp_tool, t.tool, '(unnamed)') AS mcp_tool,
  CAST(COUNT(CASE WHEN NOT t.is_repeat THEN 1 END) AS Nullable(Int64)) AS calls,
  CAST(COUNT(DISTINCT CASE WHEN NOT t.is_repeat THEN (t.source_id, t.conversation_id) END) AS Nullable(Int64)) AS conversations,
  CAST(COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END) AS Nullable(Int64)) AS outcome_known,
  CAST(COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) AS Nullable(Int64)) AS failed,
  trunc(
    (
      CAST(COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) AS Nullable(Int64)) / nullIf(CAST(COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END) AS Nullable(Int64)), 0)
    ) * 10000 + 0.5 * sign(
      (
        CAST(COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) AS Nullable(Int64)) / nullIf(CAST(COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END) AS Nullable(Int64)), 0)
      )
    )
  ) / 10000 AS failure_rate,
  CAST(COUNT(CASE WHEN NOT t.is_repeat THEN t.duration_ms END) AS Nullable(Int64)) AS duration_known,
  arrayElementOrNull(
    arraySort(groupArray(CASE WHEN NOT t.is_repeat THEN t.duration_ms END)),
    greatest(intDiv(CAST(count(CASE WHEN NOT t.is_repeat THEN t.duration_ms END) AS Nullable(Int64)) * 95 + 99, 100), 1)
  ) AS p95_ms,
  MAX(CASE WHEN NOT t.is_repeat THEN m.created_at END) AS last_used_at,
  argMaxIf(
    leftUTF8(t.error, 200),
    (
      COALESCE(toUnixTimestamp64Milli(m.created_at), 0),
      t.source_id IS NULL,
      t.source_id,
      t.conversation_id IS NULL,
      t.conversation_id,
      t.message_id IS NULL,
      t.message_id,
      t.call_index IS NULL,
      t.call_index
    ),
    NOT (
      t.error IS NULL
    ) AND NOT t.is_repeat
  ) AS last_error,
  CAST(COUNT(CASE WHEN t.is_repeat THEN 1 END) AS Nullable(Int64)) AS repeats
FROM live_tool_calls AS t
LEFT JOIN messages AS m
  ON m.machine_id = t.machine_id AND (
    m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
  )
WHERE
  t.tool_kind = 'mcp'
GROUP BY
  t.machine_id,
  t.mcp_server,
  COALESCE(t.mcp_tool, t.tool, '(unnamed)')
SETTINGS join_use_nulls = 1;
