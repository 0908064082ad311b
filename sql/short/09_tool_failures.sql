-- Which tools fail most?
-- One row per tool, most failures first, over all versions of Cursor's format. failed_percent is over the known calls.
-- Coverage: known counts the calls that are known to have succeeded or failed. A percentage of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.tool_failures_short AS
SELECT tool, TRY_CAST(sum(calls) AS BIGINT) AS calls, TRY_CAST(sum(failed) AS BIGINT) AS failed, TRY_CAST(sum(failed) / nullif(sum(outcome_known), 0) * 100 AS DECIMAL(18, 1)) AS failed_percent, TRY_CAST(sum(outcome_known) AS BIGINT) AS known, TRY_CAST(sum(repeats) AS BIGINT) AS repeats
FROM answers.tool_failures
GROUP BY tool
ORDER BY sum(failed) DESC, sum(calls) DESC, tool;
COMMENT ON VIEW answers.tool_failures_short IS 'Failures per tool.';
COMMENT ON COLUMN answers.tool_failures_short.tool IS 'The tool.';
COMMENT ON COLUMN answers.tool_failures_short.calls IS 'Calls of the tool.';
COMMENT ON COLUMN answers.tool_failures_short.failed IS 'Calls that failed.';
COMMENT ON COLUMN answers.tool_failures_short.failed_percent IS 'Failed of the known calls, in percent.';
COMMENT ON COLUMN answers.tool_failures_short.known IS 'Calls that are known to have succeeded or failed.';
COMMENT ON COLUMN answers.tool_failures_short.repeats IS 'Calls of it that a fork repeats; they are in no other figure.';
