-- Made by translate.py from sql/answers/12_mcp_usage.sql, sha256 3aac70626e5b24d9486cdce39fee8bfca763185a01e2e0259a64a88d469a7b38
-- Calls, failures and times per MCP server and tool; outcome_known and duration_known of calls are recorded.
CREATE OR REPLACE TEMP VIEW mcp_usage AS
SELECT
  t.machine_id AS machine_id,
  t.mcp_server AS mcp_server,
  COALESCE(t.mcp_tool, t.tool, '(unnamed)') AS mcp_tool,
  COUNT(*) AS calls,
  COUNT(DISTINCT (t.source_id, t.conversation_id)) AS conversations,
  COUNT(t.is_error) AS outcome_known,
  COUNT(*) FILTER(WHERE
    t.is_error) AS failed,
  ROUND(COUNT(*) FILTER(WHERE
    t.is_error) / NULLIF(COUNT(t.is_error), 0), 4) AS failure_rate,
  COUNT(t.duration_ms) AS duration_known,
  QUANTILE_DISC(t.duration_ms, 0.95) AS p95_ms,
  MAX(m.created_at) AS last_used_at,
  ARG_MAX(LEFT(t.error, 200), (COALESCE(EPOCH_MS(m.created_at), 0), t.source_id, t.conversation_id, t.message_id, t.call_index)) FILTER(WHERE
    NOT t.error IS NULL) AS last_error
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
