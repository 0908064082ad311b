-- What does a prompt cost, by model?
-- One row per model, the dearest in sum first. usd is what the tokens are worth, whether paid or included in the plan, charged_usd what was charged; half of the prompts cost no more than median_usd.
-- Coverage: known counts the prompts of which a cost is known.
-- Total: prompts, known, usd, charged_usd.
CREATE OR REPLACE VIEW answers.cost_per_prompt_short AS
SELECT model, prompts, with_cost AS known, TRY_CAST(worth_cents / 100 AS DECIMAL(18, 2)) AS usd, TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd, TRY_CAST(median_cents / 100 AS DECIMAL(18, 3)) AS median_usd
FROM answers.cost_per_prompt
ORDER BY worth_cents DESC NULLS LAST, prompts DESC, model NULLS LAST;
COMMENT ON VIEW answers.cost_per_prompt_short IS 'What prompts cost, per model.';
COMMENT ON COLUMN answers.cost_per_prompt_short.model IS 'The model; NULL where none is recorded.';
COMMENT ON COLUMN answers.cost_per_prompt_short.prompts IS 'What was asked of it.';
COMMENT ON COLUMN answers.cost_per_prompt_short.known IS 'Prompts of which a cost is known.';
COMMENT ON COLUMN answers.cost_per_prompt_short.usd IS 'What Cursor counted for them, in US dollars.';
COMMENT ON COLUMN answers.cost_per_prompt_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.cost_per_prompt_short.median_usd IS 'Half of them cost no more, in US dollars.';
