-- Which conversations ended without an answer?
-- One row per conversation that ended so, the latest first; reason says how (abandoned_work explains the words).
-- Coverage: messages that are named and not in the store may have had the answer; day is NULL where no activity has a time.
CREATE OR REPLACE VIEW answers.abandoned_work_short AS
SELECT CAST(idle_since AS DATE) AS day, title, project, reason, prompts
FROM answers.abandoned_work
ORDER BY idle_since DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.abandoned_work_short IS 'Conversations that ended without an answer.';
COMMENT ON COLUMN answers.abandoned_work_short.day IS 'Day of the last activity.';
COMMENT ON COLUMN answers.abandoned_work_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.abandoned_work_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.abandoned_work_short.reason IS 'How it ended: unanswered, error, tool_running, tool_cancelled, tool_rejected, tool_failed or aborted.';
COMMENT ON COLUMN answers.abandoned_work_short.prompts IS 'What the user asked in it.';
