-- What did turns cost that failed, or whose work was rejected?
-- One row per outcome of turns; the row without an outcome has the events of which no turn is known. percent is the outcome's part of usd. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the events that record a cost.
-- Total: turns, usd, charged_usd, input_tokens, output_tokens, known, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_outcome_short AS
SELECT outcome,
       turns,
       TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       TRY_CAST(cost_cents / nullif(sum(cost_cents) OVER (), 0) * 100 AS DECIMAL(18, 1)) AS percent,
       input_tokens,
       output_tokens,
       with_cost AS known,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_outcome
ORDER BY outcome NULLS LAST;
COMMENT ON VIEW answers.billed_by_outcome_short IS 'Cost of turns that were done, failed or rejected.';
COMMENT ON COLUMN answers.billed_by_outcome_short.outcome IS 'done, failed or rejected.';
COMMENT ON COLUMN answers.billed_by_outcome_short.turns IS 'Turns with that outcome.';
COMMENT ON COLUMN answers.billed_by_outcome_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_outcome_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_outcome_short.percent IS 'Its part of usd, in percent.';
COMMENT ON COLUMN answers.billed_by_outcome_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_outcome_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_outcome_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_outcome_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
