-- How many lines did each session add and remove?
-- One row per session, the most changed lines first. lines_added and lines_removed are Cursor's own totals of the session's conversations,
-- its subagents' among them; call_lines_added and call_lines_removed are the sums over the calls of edit tools, which are counted also where the
-- user took them back. The two differ where either is not recorded: compare them only where both are known throughout.
-- added_per_call and removed_per_call are averages over the calls whose lines are recorded. Conversations without a session are in none.
-- repeats counts the calls that a fork repeats; no other column includes them. Cursor's own totals name no messages: what a fork repeats of them cannot be told.
-- Coverage: of the conversations, totals_known have Cursor's totals; of the edit_calls, call_lines_known have their lines.
CREATE OR REPLACE VIEW answers.session_lines AS
WITH totals AS (
    SELECT session_id,
           count(*) AS conversations,
           count(lines_added) AS totals_known,
           TRY_CAST(sum(lines_added) AS BIGINT) AS lines_added,
           TRY_CAST(sum(lines_removed) AS BIGINT) AS lines_removed
    FROM main.live_conversations
    WHERE session_id IS NOT NULL
    GROUP BY session_id
), calls AS (
    SELECT c.session_id,
           count(*) FILTER (WHERE NOT t.is_repeat) AS edit_calls,
           count(t.lines_added) FILTER (WHERE NOT t.is_repeat) AS call_lines_known,
           TRY_CAST(sum(t.lines_added) FILTER (WHERE NOT t.is_repeat) AS BIGINT) AS call_lines_added,
           TRY_CAST(sum(t.lines_removed) FILTER (WHERE NOT t.is_repeat) AS BIGINT) AS call_lines_removed,
           round(avg(t.lines_added) FILTER (WHERE NOT t.is_repeat), 1) AS added_per_call,
           round(avg(t.lines_removed) FILTER (WHERE NOT t.is_repeat), 1) AS removed_per_call,
           count(*) FILTER (WHERE t.is_repeat) AS repeats
    FROM main.live_tool_calls t
    JOIN main.live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    WHERE t.tool_kind = 'edit'
    GROUP BY c.session_id
)
SELECT s.session_id, s.source_id, s.project_uri, s.project, s.started_at, s.ended_at, s.duration_ms,
       t.conversations, t.totals_known, t.lines_added, t.lines_removed,
       coalesce(k.edit_calls, 0) AS edit_calls, coalesce(k.call_lines_known, 0) AS call_lines_known,
       k.call_lines_added, k.call_lines_removed, k.added_per_call, k.removed_per_call,
       coalesce(k.repeats, 0) AS repeats
FROM main.live_sessions s
JOIN totals t ON t.session_id = s.session_id
LEFT JOIN calls k ON k.session_id = s.session_id
ORDER BY coalesce(CAST(t.lines_added AS HUGEINT) + t.lines_removed, CAST(k.call_lines_added AS HUGEINT) + k.call_lines_removed) DESC NULLS LAST, s.started_at DESC, s.session_id;
COMMENT ON VIEW answers.session_lines IS 'Lines added and removed per session; of the conversations, totals_known record them, and of the edit_calls, call_lines_known.';
