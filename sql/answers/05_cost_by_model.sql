-- What did each model cost?
-- One row per model for which a cost or a number of requests is recorded, dearest first. Only old stores recorded this (usageData).
-- share is of the cost that is recorded. cents_per_request is over the conversations that record both of the model. Costs are US cents.
-- What forks have by copy is left out: repeats rows of cost_by_conversation (the same in every row).
-- Coverage: of the model's conversations, cost_known record what it cost; of all live conversations (live_total), with_cost record any cost.
-- Total: cost_cents, requests.
CREATE OR REPLACE VIEW answers.cost_by_model AS
WITH models AS (
    SELECT model,
           sum(cost_cents) AS cost_cents,
           sum(requests) AS requests,
           count(*) AS conversations,
           count(cost_cents) AS cost_known,
           sum(cost_cents) FILTER (WHERE requests IS NOT NULL) / nullif(sum(requests) FILTER (WHERE cost_cents IS NOT NULL), 0) AS per_request,
           any_value(with_cost) AS with_cost, any_value(live_total) AS live_total, any_value(repeats) AS repeats
    FROM answers.cost_by_conversation
    GROUP BY model
)
SELECT model,
       round(cost_cents, 4) AS cost_cents,
       round(cost_cents / nullif(sum(cost_cents) OVER (), 0), 4) AS share,
       TRY_CAST(requests AS BIGINT) AS requests,
       round(per_request, 4) AS cents_per_request,
       conversations, cost_known, with_cost, live_total, repeats
FROM models
ORDER BY cost_cents DESC NULLS LAST, requests DESC NULLS LAST, model;
COMMENT ON VIEW answers.cost_by_model IS 'Cost and requests per model; of its conversations, cost_known record it; of all live conversations (live_total), with_cost record any cost.';
