-- What did turns cost that failed, or whose work was rejected?
-- One row per outcome of turns (billed_by_turn.outcome): failed if a message of the turn is an error, else rejected if a tool call of it was, else done. The row without an outcome has
-- the events of which no turn is known.
-- share_of_cost is the part of the cost of all rows. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents
-- is what was charged.
-- Coverage: of the events, with_cost record a cost. estimated_turns counts turns without a known event; they are also in turns and estimated_cost_cents, and in no other figure.
-- Total: turns, cost_cents, charged_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_outcome AS
WITH parts AS (
    SELECT outcome, 1 AS turns, events, with_cost, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, estimate_method, estimated_cost_cents
    FROM answers.billed_by_turn
    UNION ALL BY NAME
    SELECT 1 AS events, CAST(cost_cents IS NOT NULL AS BIGINT) AS with_cost, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents
    FROM main.all_usage
    WHERE event_id IS NOT NULL AND message_id IS NULL
)
SELECT outcome, count(turns) AS turns, round(sum(cost_cents), 4) AS cost_cents, round(sum(cost_cents) / nullif(sum(sum(cost_cents)) OVER (), 0), 4) AS share_of_cost,
       round(sum(charged_cents), 4) AS charged_cents, TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
       TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
       TRY_CAST(sum(events) AS BIGINT) AS events, TRY_CAST(sum(with_cost) AS BIGINT) AS with_cost, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
FROM parts
GROUP BY outcome
ORDER BY outcome NULLS LAST;
COMMENT ON VIEW answers.billed_by_outcome IS 'Tokens and cost that Cursor counted for turns that were done, failed or rejected. Estimates stand apart.';
