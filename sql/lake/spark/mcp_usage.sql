-- Made by translate.py from sql/answers/12_mcp_usage.sql, sha256 3aac70626e5b24d9486cdce39fee8bfca763185a01e2e0259a64a88d469a7b38
-- Calls, failures and times per MCP server and tool; outcome_known and duration_known of calls are recorded.
CREATE OR REPLACE TEMPORARY VIEW mcp_usage AS
SELECT
  t.machine_id AS machine_id,
  t.mcp_server AS mcp_server,
  COALESCE(t.mcp_tool, t.tool, '(unnamed)') AS mcp_tool,
  COUNT(*) AS calls,
  COUNT(DISTINCT (t.source_id, t.conversation_id)) AS conversations,
  COUNT(t.is_error) AS outcome_known,
  COUNT(CASE WHEN t.is_error THEN 1 END) AS failed,
  ROUND(COUNT(CASE WHEN t.is_error THEN 1 END) / NULLIF(COUNT(t.is_error), 0), 4) AS failure_rate,
  COUNT(t.duration_ms) AS duration_known,
  percentile_disc(0.95) WITHIN GROUP (ORDER BY
    t.duration_ms) AS p95_ms,
  MAX(m.created_at) AS last_used_at,
  max_by(
    LEFT(t.error, 200),
    CASE
      WHEN NOT t.error IS NULL AND NOT LEFT(t.error, 200) IS NULL
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
  ) AS last_error
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
