-- What does a prompt cost, by model?
-- One row per model that ended a turn (turns.model), the dearest in sum first; a row without a model has the turns that record none. Figures are of the events that Cursor counted for the turns
-- (pipeline run --usage, pipeline hook). Costs are US cents: worth_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what was charged. A subagent's
-- work is not in the turn that started it (billed_by_turn has both).
-- Coverage: of the prompts, with_cost have a cost, with_charge a charge; averages and percentiles are over these.
-- Total: prompts, with_cost, with_charge, worth_cents, charged_cents.
CREATE OR REPLACE VIEW answers.cost_per_prompt AS
SELECT model, count(*) AS prompts, count(worth_cents) AS with_cost, count(charged_cents) AS with_charge, round(avg(worth_cents), 4) AS mean_cents, round(quantile_cont(worth_cents, 0.5), 4) AS median_cents,
       round(quantile_cont(worth_cents, 0.95), 4) AS p95_cents, round(sum(worth_cents), 4) AS worth_cents, round(sum(charged_cents), 4) AS charged_cents,
       TRY_CAST(round(avg(input_tokens) FILTER (WHERE worth_cents IS NOT NULL)) AS BIGINT) AS mean_input_tokens, TRY_CAST(round(avg(output_tokens) FILTER (WHERE worth_cents IS NOT NULL)) AS BIGINT) AS mean_output_tokens
FROM main.turns
GROUP BY model
ORDER BY worth_cents DESC NULLS LAST, prompts DESC, model NULLS LAST;
COMMENT ON VIEW answers.cost_per_prompt IS 'What prompts cost, per model; of the prompts, with_cost have a cost.';
