-- Which prompts failed, and why?
-- One row per prompt whose turn ended with an error (turns.outcome is failed), the latest first. error is the text that Cursor recorded. waited_ms is how long it took to fail.
-- Coverage: error is NULL where no text is recorded, asked_at where no time is.
CREATE OR REPLACE VIEW answers.failed_prompts AS
SELECT asked_at, project, left(text, 200) AS prompt, left(error, 200) AS error, model, mode, waited_ms, tool_calls, title, source_id, conversation_id, message_id, turn, project_uri, worth_cents
FROM main.turns
WHERE outcome = 'failed'
ORDER BY asked_at DESC NULLS LAST, source_id, conversation_id, turn;
COMMENT ON VIEW answers.failed_prompts IS 'Prompts whose turn ended with an error, with its text; error is NULL where none is recorded.';
