-- Which tools are called most?
-- One row per tool, most calls first, over all modes and models. repeats counts the calls that a fork repeats; no other column includes them.
-- Coverage: every live call counts; '(unnamed)' are those whose tool is not recorded.
CREATE OR REPLACE VIEW answers.tool_usage_short AS
SELECT coalesce(tool, '(unnamed)') AS tool, any_value(tool_kind) AS kind, count(*) FILTER (WHERE NOT is_repeat) AS calls,
       TRY_CAST(count(*) FILTER (WHERE NOT is_repeat) / nullif(sum(count(*) FILTER (WHERE NOT is_repeat)) OVER (), 0) * 100 AS DECIMAL(18, 1)) AS percent,
       count(DISTINCT (source_id, conversation_id)) FILTER (WHERE NOT is_repeat) AS conversations, count(*) FILTER (WHERE is_repeat) AS repeats
FROM main.live_tool_calls
GROUP BY coalesce(tool, '(unnamed)')
ORDER BY calls DESC, tool;
COMMENT ON VIEW answers.tool_usage_short IS 'Calls per tool.';
COMMENT ON COLUMN answers.tool_usage_short.tool IS 'The tool.';
COMMENT ON COLUMN answers.tool_usage_short.kind IS 'What kind of tool it is: read, edit, shell, mcp and so on.';
COMMENT ON COLUMN answers.tool_usage_short.calls IS 'Calls of the tool.';
COMMENT ON COLUMN answers.tool_usage_short.percent IS 'Its part of all calls, in percent.';
COMMENT ON COLUMN answers.tool_usage_short.conversations IS 'Conversations that called it.';
COMMENT ON COLUMN answers.tool_usage_short.repeats IS 'Calls of it that a fork repeats; they are in no other figure.';
