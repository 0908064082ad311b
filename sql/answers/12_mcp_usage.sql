-- Which MCP servers and tools are used, and how often do they fail?
-- One row per server and tool, most calls first. Some calls read a resource or sign in, and use no tool of a server: mcp_tool then is the
-- name of Cursor's own tool. mcp_server is NULL where the call does not name its server.
-- last_used_at is the best known time (see messages.created_at_source). A server that is set up and never called leaves no row.
-- repeats counts the calls that a fork repeats; no other column includes them.
-- Coverage: of the calls, outcome_known are known to have succeeded or failed, and duration_known have a recorded duration.
CREATE OR REPLACE VIEW answers.mcp_usage AS
SELECT t.mcp_server,
       coalesce(t.mcp_tool, t.tool, '(unnamed)') AS mcp_tool,
       count(*) FILTER (WHERE NOT t.is_repeat) AS calls,
       count(DISTINCT (t.source_id, t.conversation_id)) FILTER (WHERE NOT t.is_repeat) AS conversations,
       count(t.is_error) FILTER (WHERE NOT t.is_repeat) AS outcome_known,
       count(*) FILTER (WHERE t.is_error AND NOT t.is_repeat) AS failed,
       round(count(*) FILTER (WHERE t.is_error AND NOT t.is_repeat) / nullif(count(t.is_error) FILTER (WHERE NOT t.is_repeat), 0), 4) AS failure_rate,
       count(t.duration_ms) FILTER (WHERE NOT t.is_repeat) AS duration_known,
       quantile_disc(t.duration_ms, 0.95) FILTER (WHERE NOT t.is_repeat) AS p95_ms,
       max(m.created_at) FILTER (WHERE NOT t.is_repeat) AS last_used_at,
       arg_max(left(t.error, 200), (coalesce(epoch_ms(m.created_at), 0), t.source_id, t.conversation_id, t.message_id, t.call_index))
           FILTER (WHERE t.error IS NOT NULL AND NOT t.is_repeat) AS last_error,
       count(*) FILTER (WHERE t.is_repeat) AS repeats
FROM main.live_tool_calls t
LEFT JOIN main.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
WHERE t.tool_kind = 'mcp'
GROUP BY ALL
ORDER BY calls DESC, mcp_server NULLS LAST, mcp_tool;
COMMENT ON VIEW answers.mcp_usage IS 'Calls, failures and times per MCP server and tool; of the calls, outcome_known are known to have succeeded or failed, and duration_known have a recorded duration.';
