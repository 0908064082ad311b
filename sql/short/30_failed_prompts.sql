-- Which prompts failed, and why?
-- One row per prompt whose turn ended with an error, the latest first.
-- Coverage: error is NULL where no text is recorded, day where no time is.
CREATE OR REPLACE VIEW answers.failed_prompts_short AS
SELECT CAST(asked_at AS DATE) AS day, project, left(prompt, 60) AS prompt, left(error, 80) AS error, model
FROM answers.failed_prompts
ORDER BY asked_at DESC NULLS LAST, source_id, conversation_id, turn;
COMMENT ON VIEW answers.failed_prompts_short IS 'Prompts whose turn ended with an error.';
COMMENT ON COLUMN answers.failed_prompts_short.day IS 'Day of the prompt.';
COMMENT ON COLUMN answers.failed_prompts_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.failed_prompts_short.prompt IS 'Beginning of the prompt.';
COMMENT ON COLUMN answers.failed_prompts_short.error IS 'Beginning of the error.';
COMMENT ON COLUMN answers.failed_prompts_short.model IS 'The model; NULL where none is recorded.';
