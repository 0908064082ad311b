-- Which tools were called, and how many of the calls failed, day by day?
-- One row per day (of the message that made the call, by its best known time, in the reader's TimeZone), project and tool. Calls are the live ones, those
-- of subagents included; placeholders are no calls. repeats counts the calls that a fork repeats; no other column includes them. A failure rate is failed of outcome_known, never of calls.
-- Coverage: of the calls, outcome_known say whether they failed, duration_known how long they took; duration_ms is the sum of these, NULL where none does.
CREATE OR REPLACE VIEW report.tools AS
SELECT CAST(created_at AS DATE) AS day, project_uri, project, coalesce(tool, '(unnamed)') AS tool, tool_kind,
       count(*) FILTER (WHERE NOT is_repeat) AS calls,
       count(is_error) FILTER (WHERE NOT is_repeat) AS outcome_known,
       count(*) FILTER (WHERE is_error AND NOT is_repeat) AS failed,
       count(duration_ms) FILTER (WHERE NOT is_repeat) AS duration_known,
       TRY_CAST(sum(duration_ms) FILTER (WHERE NOT is_repeat) AS BIGINT) AS duration_ms,
       count(*) FILTER (WHERE is_repeat) AS repeats
FROM main.live_tool_calls
GROUP BY ALL;
COMMENT ON VIEW report.tools IS 'Tool calls per day, project and tool; of the calls, outcome_known say whether they failed.';
