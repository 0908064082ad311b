-- How many tokens went into each model and came out of it?
-- One row per model that answered, those with most tokens first, over all days and projects. Nothing is estimated: Cursor stopped recording tokens of answers in February 2026.
-- Coverage: known counts the messages that record tokens; the figures are NULL where none does, and are not to be scaled up from those that do.
CREATE OR REPLACE VIEW answers.tokens_by_model_short AS
SELECT model, TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens, TRY_CAST(sum(messages) AS BIGINT) AS messages, TRY_CAST(sum(with_tokens) AS BIGINT) AS known
FROM answers.tokens_by_model
GROUP BY model
ORDER BY coalesce(sum(input_tokens), 0) + coalesce(sum(output_tokens), 0) DESC, sum(messages) DESC, model NULLS LAST;
COMMENT ON VIEW answers.tokens_by_model_short IS 'Tokens per model, where recorded.';
COMMENT ON COLUMN answers.tokens_by_model_short.model IS 'The model that answered; NULL where the message names none.';
COMMENT ON COLUMN answers.tokens_by_model_short.input_tokens IS 'Tokens that went in, where recorded.';
COMMENT ON COLUMN answers.tokens_by_model_short.output_tokens IS 'Tokens that came out, where recorded.';
COMMENT ON COLUMN answers.tokens_by_model_short.messages IS 'Answers, and other messages with tokens, repeats left out.';
COMMENT ON COLUMN answers.tokens_by_model_short.known IS 'Messages that record tokens.';
