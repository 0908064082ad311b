-- What did each prompt cost?
-- One row per prompt of which an event or an estimate is known, the dearest first. outcome says how its turn ended: failed, rejected or done. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: usd is NULL where no event of the turn records a cost.
-- Total: usd, charged_usd, input_tokens, cached_tokens, output_tokens, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_turn_short AS
SELECT project,
       prompt,
       outcome,
       TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       input_tokens,
       cache_read_tokens AS cached_tokens,
       output_tokens,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_turn
ORDER BY cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, coalesce(CAST(fresh_input_tokens AS DOUBLE), 0) + coalesce(output_tokens, 0) DESC, conversation_id, message_id;
COMMENT ON VIEW answers.billed_by_turn_short IS 'Cost per prompt.';
COMMENT ON COLUMN answers.billed_by_turn_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.billed_by_turn_short.prompt IS 'Beginning of the prompt.';
COMMENT ON COLUMN answers.billed_by_turn_short.outcome IS 'failed, rejected or done.';
COMMENT ON COLUMN answers.billed_by_turn_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_turn_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_turn_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_turn_short.cached_tokens IS 'Of the input tokens, those that were read from the cache.';
COMMENT ON COLUMN answers.billed_by_turn_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_turn_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
