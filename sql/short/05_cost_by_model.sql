-- What did each model cost, by the record of conversations?
-- One row per model for which a cost or a number of requests is recorded, the dearest first. Only old stores recorded this; billed_by_model_short has what Cursor billed.
-- Coverage: known counts the model's conversations that record what it cost.
-- Total: usd, requests.
CREATE OR REPLACE VIEW answers.cost_by_model_short AS
SELECT model, TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd, TRY_CAST(cost_cents / nullif(sum(cost_cents) OVER (), 0) * 100 AS DECIMAL(18, 1)) AS percent, requests, conversations, cost_known AS known
FROM answers.cost_by_model
ORDER BY cost_cents DESC NULLS LAST, requests DESC NULLS LAST, model;
COMMENT ON VIEW answers.cost_by_model_short IS 'Cost and requests per model, where an old store recorded them.';
COMMENT ON COLUMN answers.cost_by_model_short.model IS 'The model.';
COMMENT ON COLUMN answers.cost_by_model_short.usd IS 'Its cost in US dollars.';
COMMENT ON COLUMN answers.cost_by_model_short.percent IS 'Its part of the cost that is recorded, in percent.';
COMMENT ON COLUMN answers.cost_by_model_short.requests IS 'Its requests.';
COMMENT ON COLUMN answers.cost_by_model_short.conversations IS 'Conversations that used it.';
COMMENT ON COLUMN answers.cost_by_model_short.known IS 'Conversations that record its cost.';
