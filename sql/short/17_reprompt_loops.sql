-- Where did someone have to say the same thing three times or more?
-- One row per run of similar prompts in one conversation, the longest run first. failed are the tool calls in between that failed.
-- Coverage: day is NULL where no prompt of the run has a recorded time.
CREATE OR REPLACE VIEW answers.reprompt_loops_short AS
SELECT title, first_prompt AS prompt, prompts, failed_calls AS failed, CAST(started_at AS DATE) AS day
FROM answers.reprompt_loops
ORDER BY prompts DESC, least_similarity DESC, started_at DESC NULLS LAST, source_id, conversation_id, first_position;
COMMENT ON VIEW answers.reprompt_loops_short IS 'Runs of similar prompts.';
COMMENT ON COLUMN answers.reprompt_loops_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.reprompt_loops_short.prompt IS 'Beginning of the first prompt of the run.';
COMMENT ON COLUMN answers.reprompt_loops_short.prompts IS 'Prompts of the run.';
COMMENT ON COLUMN answers.reprompt_loops_short.failed IS 'Tool calls in between that failed.';
COMMENT ON COLUMN answers.reprompt_loops_short.day IS 'Day of the first prompt.';
