-- Which tools are called most?
-- One row per tool, most calls first, over all modes and models.
-- Coverage: every live call counts; '(unnamed)' are those whose tool is not recorded.
CREATE OR REPLACE VIEW answers.tool_usage_short AS
SELECT coalesce(tool, '(unnamed)') AS tool, any_value(tool_kind) AS kind, count(*) AS calls, TRY_CAST(count(*) / sum(count(*)) OVER () * 100 AS DECIMAL(18, 1)) AS percent,
       count(DISTINCT (source_id, conversation_id)) AS conversations
FROM main.live_tool_calls
GROUP BY coalesce(tool, '(unnamed)')
ORDER BY calls DESC, tool;
COMMENT ON VIEW answers.tool_usage_short IS 'Calls per tool.';
COMMENT ON COLUMN answers.tool_usage_short.tool IS 'The tool.';
COMMENT ON COLUMN answers.tool_usage_short.kind IS 'What kind of tool it is: read, edit, shell, mcp and so on.';
COMMENT ON COLUMN answers.tool_usage_short.calls IS 'Calls of the tool.';
COMMENT ON COLUMN answers.tool_usage_short.percent IS 'Its part of all calls, in percent.';
COMMENT ON COLUMN answers.tool_usage_short.conversations IS 'Conversations that called it.';
