-- Which kinds of subagents ran, and what did they do?
-- One row per type of subagent, the most first. median_minutes is from the first to the last message of a subagent.
-- Coverage: type is NULL where no store says it; failed_percent is over the tool calls that are known to have succeeded or failed. A figure of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.subagents_short AS
SELECT type, count(*) AS subagents, TRY_CAST(sum(tool_calls) AS BIGINT) AS tool_calls, TRY_CAST(sum(failed) / nullif(sum(outcome_known), 0) * 100 AS DECIMAL(18, 1)) AS failed_percent, TRY_CAST(median(duration_ms) / 60000 AS DECIMAL(18, 1)) AS median_minutes
FROM answers.subagents
GROUP BY type
ORDER BY subagents DESC, type NULLS LAST;
COMMENT ON VIEW answers.subagents_short IS 'Subagents per type.';
COMMENT ON COLUMN answers.subagents_short.type IS 'Type of the subagents.';
COMMENT ON COLUMN answers.subagents_short.subagents IS 'Subagents that are not empty.';
COMMENT ON COLUMN answers.subagents_short.tool_calls IS 'Their tool calls.';
COMMENT ON COLUMN answers.subagents_short.failed_percent IS 'Failed of the tool calls that are known to have succeeded or failed, in percent.';
COMMENT ON COLUMN answers.subagents_short.median_minutes IS 'Median of their duration, in minutes.';
