-- When was each session, and how long did it take?
-- One row per session, see session_lengths. day is the day on which it began, in the reader's TimeZone. active_ms leaves out pauses longer than the session
-- gap. title is the first display_title of its conversations; the report page shows it unless it is asked not to. Subagents and best-of-N copies are no conversations of a session, and their messages not among its own; prompts are without repeats (see session_lengths).
-- Coverage: of the messages, real_times record their own time; active_ms is NULL where none does.
CREATE OR REPLACE VIEW report.sessions AS
SELECT CAST(started_at AS DATE) AS day, project_uri, project, session_id, source_id, started_at, ended_at, active_ms, conversations, prompts, messages,
       real_times, title
FROM answers.session_lengths;
COMMENT ON VIEW report.sessions IS 'Sessions with their day, project, start, end and active time; of the messages, real_times record their own time.';
