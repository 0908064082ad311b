-- At which hours of which weekdays was there work?
-- One row per day, project and hour (0 to 23), with the weekday of that day: 1 Monday to 7 Sunday, all in the reader's TimeZone. prompts are the user's own, each once
-- (see active_time_per_day), messages all live ones, those of subagents included.
-- Coverage: the rows with hour and weekday NULL have the messages that record no time of their own; their day is that of the message before them, or
-- of the conversation, and NULL where that has none either.
CREATE OR REPLACE VIEW report.hours AS
WITH sent AS (
    SELECT c.project_uri, c.project, m.role, c.is_subagent OR m.is_repeat OR m.is_simulated OR c.best_of_parent_id IS NOT NULL AS is_no_prompt, m.created_at, m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS is_real
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL
)
SELECT CAST(created_at AS DATE) AS day, project_uri, project,
       CASE WHEN is_real THEN isodow(CAST(created_at AS DATE)) END AS weekday,
       CASE WHEN is_real THEN hour(created_at) END AS hour,
       count(*) FILTER (WHERE role = 'user' AND NOT is_no_prompt) AS prompts,
       count(*) AS messages
FROM sent
GROUP BY ALL;
COMMENT ON VIEW report.hours IS 'Prompts and messages per day, project, weekday and hour; hour NULL: messages that record no time of their own.';
