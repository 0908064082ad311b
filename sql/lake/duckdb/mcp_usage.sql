-- Made by translate.py from sql/answers/12_mcp_usage.sql, sha256 c5f8afd6be03b8ac16942b8991fad327b2ccc56e7bca79546cd91bfcd8a51ed6
-- Calls, failures and times per MCP server and tool; outcome_known and duration_known of calls are recorded.
CREATE OR REPLACE TEMP VIEW mcp_usage AS
SELECT
  t.machine_id AS machine_id,
  t.mcp_server AS mcp_server,
  COALESCE(t.mcp_tool, t.tool, '(unnamed)') AS mcp_tool,
  COUNT(*) FILTER(WHERE
    NOT t.is_repeat) AS calls,
  COUNT(DISTINCT (t.source_id, t.conversation_id)) FILTER(WHERE
    NOT t.is_repeat) AS conversations,
  COUNT(t.is_error) FILTER(WHERE
    NOT t.is_repeat) AS outcome_known,
  COUNT(*) FILTER(WHERE
    t.is_error AND NOT t.is_repeat) AS failed,
  ROUND(COUNT(*) FILTER(WHERE
    t.is_error AND NOT t.is_repeat) / NULLIF(COUNT(t.is_error) FILTER(WHERE
    NOT t.is_repeat), 0), 4) AS failure_rate,
  COUNT(t.duration_ms) FILTER(WHERE
    NOT t.is_repeat) AS duration_known,
  QUANTILE_DISC(t.duration_ms, 0.95) FILTER(WHERE
    NOT t.is_repeat) AS p95_ms,
  MAX(m.created_at) FILTER(WHERE
    NOT t.is_repeat) AS last_used_at,
  ARG_MAX(LEFT(t.error, 200), (COALESCE(EPOCH_MS(m.created_at), 0), t.source_id, t.conversation_id, t.message_id, t.call_index)) FILTER(WHERE
    NOT t.error IS NULL AND NOT t.is_repeat) AS last_error,
  COUNT(*) FILTER(WHERE
    t.is_repeat) AS repeats
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
