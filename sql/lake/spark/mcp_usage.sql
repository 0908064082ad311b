-- Made by translate.py from sql/answers/12_mcp_usage.sql, sha256 c5f8afd6be03b8ac16942b8991fad327b2ccc56e7bca79546cd91bfcd8a51ed6
-- Calls, failures and times per MCP server and tool; outcome_known and duration_known of calls are recorded.
CREATE OR REPLACE TEMPORARY VIEW mcp_usage AS
SELECT
  t.machine_id AS machine_id,
  t.mcp_server AS mcp_server,
  COALESCE(t.mcp_tool, t.tool, '(unnamed)') AS mcp_tool,
  COUNT(CASE WHEN NOT t.is_repeat THEN 1 END) AS calls,
  COUNT(DISTINCT CASE WHEN NOT t.is_repeat THEN (t.source_id, t.conversation_id) END) AS conversations,
  COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END) AS outcome_known,
  COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) AS failed,
  ROUND(COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) / NULLIF(COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END), 0), 4) AS failure_rate,
  COUNT(CASE WHEN NOT t.is_repeat THEN t.duration_ms END) AS duration_known,
  percentile_disc(0.95) WITHIN GROUP (ORDER BY
    CASE WHEN NOT t.is_repeat THEN t.duration_ms END) AS p95_ms,
  MAX(CASE WHEN NOT t.is_repeat THEN m.created_at END) AS last_used_at,
  max_by(
    LEFT(t.error, 200),
    CASE
      WHEN (
        NOT t.error IS NULL AND NOT t.is_repeat
      ) AND NOT LEFT(t.error, 200) IS NULL
      THEN (
        COALESCE(UNIX_MILLIS(m.created_at), 0),
        t.source_id IS NULL,
        t.source_id,
        t.conversation_id IS NULL,
        t.conversation_id,
        t.message_id IS NULL,
        t.message_id,
        t.call_index IS NULL,
        t.call_index
      )
    END
  ) AS last_error,
  COUNT(CASE WHEN t.is_repeat THEN 1 END) AS repeats
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
  COALESCE(t.mcp_tool, t.tool, '(unnamed)');
