-- Which models were used, and what did they cost?
-- One row per model as Cursor bills it, the dearest first. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure. percent is the model's part of usd.
-- Coverage: known counts the model's events that record a cost.
CREATE OR REPLACE VIEW answers.billed_by_model_short AS
SELECT model, TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd, TRY_CAST(cost_cents / nullif(sum(cost_cents) OVER (), 0) * 100 AS DECIMAL(18, 1)) AS percent, events, with_cost AS known,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_model
ORDER BY cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, model NULLS LAST;
COMMENT ON VIEW answers.billed_by_model_short IS 'Cost per model.';
COMMENT ON COLUMN answers.billed_by_model_short.model IS 'The model, as Cursor bills it.';
COMMENT ON COLUMN answers.billed_by_model_short.usd IS 'What Cursor counted, in US dollars.';
COMMENT ON COLUMN answers.billed_by_model_short.percent IS 'Its part of usd, in percent.';
COMMENT ON COLUMN answers.billed_by_model_short.events IS 'Events that count.';
COMMENT ON COLUMN answers.billed_by_model_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_model_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
