-- How long was each session?
-- One row per session, the longest first, with the title of its first conversation. hours runs from its start to its last message; active_hours leaves longer pauses out.
-- Coverage: both are lower bounds, and NULL where no message of the session records its time.
CREATE OR REPLACE VIEW answers.session_lengths_short AS
SELECT title, project, CAST(started_at AS DATE) AS day, TRY_CAST(length_ms / 3600000 AS DECIMAL(18, 2)) AS hours, TRY_CAST(active_ms / 3600000 AS DECIMAL(18, 2)) AS active_hours, prompts
FROM answers.session_lengths
ORDER BY length_ms DESC NULLS LAST, started_at DESC, session_id;
COMMENT ON VIEW answers.session_lengths_short IS 'Length of each session in hours, with and without pauses.';
COMMENT ON COLUMN answers.session_lengths_short.title IS 'Title of the session''s first conversation.';
COMMENT ON COLUMN answers.session_lengths_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.session_lengths_short.day IS 'Day on which the session began.';
COMMENT ON COLUMN answers.session_lengths_short.hours IS 'Hours from the session''s start to its last message.';
COMMENT ON COLUMN answers.session_lengths_short.active_hours IS 'The same without pauses longer than the session gap.';
COMMENT ON COLUMN answers.session_lengths_short.prompts IS 'What the user asked in the session, repeats left out.';
