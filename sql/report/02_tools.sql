-- Which tools were called, and how many of the calls failed, day by day?
-- One row per day (of the message that made the call, by its best known time, in the reader's TimeZone), project and tool. Calls are the live ones, those
-- of subagents included; placeholders are no calls. Calls that a fork repeats are in repeats alone. A failure rate is failed of outcome_known, never of calls.
-- Coverage: outcome_known of calls say whether they failed, duration_known how long they took; duration_ms is the sum of these, NULL where none does.
CREATE OR REPLACE VIEW report.tools AS
SELECT CAST(m.created_at AS DATE) AS day, c.project_uri, c.project, coalesce(t.tool, '(unnamed)') AS tool, t.tool_kind,
       count(*) FILTER (WHERE m.is_repeat IS NOT TRUE) AS calls,
       count(t.is_error) FILTER (WHERE m.is_repeat IS NOT TRUE) AS outcome_known,
       count(*) FILTER (WHERE t.is_error AND m.is_repeat IS NOT TRUE) AS failed,
       count(t.duration_ms) FILTER (WHERE m.is_repeat IS NOT TRUE) AS duration_known,
       TRY_CAST(sum(t.duration_ms) FILTER (WHERE m.is_repeat IS NOT TRUE) AS BIGINT) AS duration_ms,
       count(*) FILTER (WHERE m.is_repeat) AS repeats
FROM main.tool_calls t
JOIN main.live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
LEFT JOIN main.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
WHERE t.deleted_at IS NULL
GROUP BY ALL;
COMMENT ON VIEW report.tools IS 'Tool calls per day, project and tool; outcome_known of calls say whether they failed.';
