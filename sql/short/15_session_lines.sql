-- How many lines did each session add and remove?
-- One row per session, the most changed lines first. The lines are Cursor's own totals of the session's conversations; where it has none, the sums over the calls of edit tools.
-- Coverage: added and removed are NULL where neither is recorded. Calls that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.session_lines_short AS
SELECT CAST(started_at AS DATE) AS day, project, TRY_CAST(duration_ms / 3600000 AS DECIMAL(18, 2)) AS hours, edit_calls AS edits,
       coalesce(lines_added, call_lines_added) AS added, coalesce(lines_removed, call_lines_removed) AS removed
FROM answers.session_lines
ORDER BY coalesce(CAST(lines_added AS HUGEINT) + lines_removed, CAST(call_lines_added AS HUGEINT) + call_lines_removed) DESC NULLS LAST, started_at DESC, session_id;
COMMENT ON VIEW answers.session_lines_short IS 'Lines added and removed per session.';
COMMENT ON COLUMN answers.session_lines_short.day IS 'Day on which the session began.';
COMMENT ON COLUMN answers.session_lines_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.session_lines_short.hours IS 'Hours from its start to its last message.';
COMMENT ON COLUMN answers.session_lines_short.edits IS 'Calls of edit tools.';
COMMENT ON COLUMN answers.session_lines_short.added IS 'Lines added.';
COMMENT ON COLUMN answers.session_lines_short.removed IS 'Lines removed.';
