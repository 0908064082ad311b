-- Which conversations filled their context window, and what happened next?
-- One row per conversation whose context reached 80 % of its window, the fullest first.
-- Coverage: only conversations that record their tokens and the size of the window can be here; day is NULL where no time is recorded.
CREATE OR REPLACE VIEW answers.context_pressure_short AS
SELECT title, project, CAST(fullest_at AS DATE) AS day, TRY_CAST(tokens_used / token_limit * 100 AS DECIMAL(18, 1)) AS percent, what_next
FROM answers.context_pressure
ORDER BY share DESC, tokens_used DESC, source_id, conversation_id;
COMMENT ON VIEW answers.context_pressure_short IS 'Conversations whose context reached 80 % of its window.';
COMMENT ON COLUMN answers.context_pressure_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.context_pressure_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.context_pressure_short.day IS 'Day on which it was fullest.';
COMMENT ON COLUMN answers.context_pressure_short.percent IS 'Part of the window that was full, in percent.';
COMMENT ON COLUMN answers.context_pressure_short.what_next IS 'What followed: summarised, went on, new conversation, ended or unknown.';
