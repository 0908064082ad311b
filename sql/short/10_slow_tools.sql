-- Which tools are slow?
-- One row per tool, the slowest first. Both figures are durations of real calls: half of the calls take longer than median_seconds, one in twenty longer than p95_seconds. A duration
-- includes the time in which the call waited for the user. repeats counts the calls that a fork repeats; no other column includes them.
-- Coverage: known counts the calls that have a recorded duration. Figures of fewer than 20 say little.
CREATE OR REPLACE VIEW answers.slow_tools_short AS
SELECT coalesce(tool, '(unnamed)') AS tool, count(*) FILTER (WHERE NOT is_repeat) AS calls, count(duration_ms) FILTER (WHERE NOT is_repeat) AS known,
       TRY_CAST(quantile_disc(duration_ms, 0.5) FILTER (WHERE NOT is_repeat) / 1000 AS DECIMAL(18, 2)) AS median_seconds,
       TRY_CAST(quantile_disc(duration_ms, 0.95) FILTER (WHERE NOT is_repeat) / 1000 AS DECIMAL(18, 2)) AS p95_seconds, count(*) FILTER (WHERE is_repeat) AS repeats
FROM main.live_tool_calls
GROUP BY coalesce(tool, '(unnamed)')
ORDER BY quantile_disc(duration_ms, 0.95) FILTER (WHERE NOT is_repeat) DESC NULLS LAST, calls DESC, tool;
COMMENT ON VIEW answers.slow_tools_short IS 'Durations per tool.';
COMMENT ON COLUMN answers.slow_tools_short.tool IS 'The tool.';
COMMENT ON COLUMN answers.slow_tools_short.calls IS 'Calls of the tool.';
COMMENT ON COLUMN answers.slow_tools_short.known IS 'Calls whose duration is recorded.';
COMMENT ON COLUMN answers.slow_tools_short.median_seconds IS 'Median of the durations, in seconds.';
COMMENT ON COLUMN answers.slow_tools_short.p95_seconds IS 'Duration that 95 of 100 calls do not exceed, in seconds.';
COMMENT ON COLUMN answers.slow_tools_short.repeats IS 'Calls of it that a fork repeats; they are in no other figure.';
