-- Which MCP servers are used, and how often do they fail?
-- One row per server, most calls first. failed_percent is over the known calls. A server that is set up and never called has no row.
-- Coverage: known counts the calls that are known to have succeeded or failed; server is NULL where the call names none. A percentage of fewer than 20 says little. Calls that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.mcp_usage_short AS
SELECT mcp_server AS server, count(*) AS tools, TRY_CAST(sum(calls) AS BIGINT) AS calls, TRY_CAST(sum(failed) AS BIGINT) AS failed, TRY_CAST(sum(failed) / nullif(sum(outcome_known), 0) * 100 AS DECIMAL(18, 1)) AS failed_percent, TRY_CAST(sum(outcome_known) AS BIGINT) AS known
FROM answers.mcp_usage
GROUP BY mcp_server
ORDER BY sum(calls) DESC, server NULLS LAST;
COMMENT ON VIEW answers.mcp_usage_short IS 'Calls and failures per MCP server.';
COMMENT ON COLUMN answers.mcp_usage_short.server IS 'The MCP server.';
COMMENT ON COLUMN answers.mcp_usage_short.tools IS 'Tools of it that were called.';
COMMENT ON COLUMN answers.mcp_usage_short.calls IS 'Calls of its tools.';
COMMENT ON COLUMN answers.mcp_usage_short.failed IS 'Calls that failed.';
COMMENT ON COLUMN answers.mcp_usage_short.failed_percent IS 'Failed of the known calls, in percent.';
COMMENT ON COLUMN answers.mcp_usage_short.known IS 'Calls that are known to have succeeded or failed.';
