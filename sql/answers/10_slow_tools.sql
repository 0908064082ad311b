-- Which tools are slow, and which call was the slowest?
-- One row per tool, the largest p95_ms first. Only newer builds record when a call began and ended, so most calls of an older store have no
-- duration; those stay out of every figure but calls. The percentiles are durations of real calls (no values between two). Of equally slow
-- calls the slowest is the earliest. A duration includes the time in which the call waited for the user. repeats counts the calls that a fork repeats; no other column includes them.
-- Coverage: of the calls, duration_known have a recorded duration.
CREATE OR REPLACE VIEW answers.slow_tools AS
WITH calls AS (
    SELECT coalesce(tool, '(unnamed)') AS tool, tool_kind, source_id, conversation_id, message_id, call_index, started_at, duration_ms, is_repeat
    FROM main.live_tool_calls
), slowest AS (
    SELECT tool, tool_kind, source_id, conversation_id, message_id, started_at
    FROM calls
    WHERE duration_ms IS NOT NULL AND NOT is_repeat
    QUALIFY row_number() OVER (PARTITION BY tool, tool_kind
        ORDER BY duration_ms DESC, started_at, source_id, conversation_id, message_id, call_index) = 1
), figures AS (
    SELECT tool, tool_kind,
           count(*) FILTER (WHERE NOT is_repeat) AS calls,
           count(duration_ms) FILTER (WHERE NOT is_repeat) AS duration_known,
           quantile_disc(duration_ms, 0.5) FILTER (WHERE NOT is_repeat) AS p50_ms,
           quantile_disc(duration_ms, 0.95) FILTER (WHERE NOT is_repeat) AS p95_ms,
           max(duration_ms) FILTER (WHERE NOT is_repeat) AS max_ms,
           TRY_CAST(sum(duration_ms) FILTER (WHERE NOT is_repeat) AS BIGINT) AS total_ms,
           count(*) FILTER (WHERE is_repeat) AS repeats
    FROM calls
    GROUP BY tool, tool_kind
)
SELECT f.tool, f.tool_kind, f.calls, f.duration_known, f.p50_ms, f.p95_ms, f.max_ms, f.total_ms,
       s.started_at AS slowest_at, c.project AS slowest_project, c.display_title AS slowest_title, s.source_id AS slowest_source_id,
       s.conversation_id AS slowest_conversation_id, s.message_id AS slowest_message_id,
       f.repeats
FROM figures f
LEFT JOIN slowest s ON s.tool = f.tool AND s.tool_kind = f.tool_kind
LEFT JOIN main.live_conversations c ON c.source_id = s.source_id AND c.conversation_id = s.conversation_id
ORDER BY f.p95_ms DESC NULLS LAST, f.total_ms DESC NULLS LAST, f.calls DESC, f.tool, f.tool_kind;
COMMENT ON VIEW answers.slow_tools IS 'Durations per tool and its slowest call; of the calls, duration_known have a recorded duration.';
