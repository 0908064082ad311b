-- What did Cursor count and bill in each week?
-- One row per week, by its first day (in the reader's TimeZone), over all projects and models, the latest first: the sums of billed_by_day. Costs are US cents: cost_cents is what the tokens
-- are worth, whether paid or included in the plan; charged_cents is what was charged. input_tokens has those read from the cache, too.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. Estimates of turns without an event are in no other figure than estimated_cost_cents.
-- Total: cost_cents, charged_cents, included_cents, max_mode_cents, input_tokens, cache_read_tokens, output_tokens, events, with_tokens, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_week AS
WITH dated AS (
    SELECT CAST(date_trunc('week', day) AS DATE) AS week, *
    FROM answers.billed_by_day
)
SELECT d.week, round(sum(d.cost_cents), 4) AS cost_cents, round(sum(d.charged_cents), 4) AS charged_cents, round(sum(d.included_cents), 4) AS included_cents, round(sum(d.max_mode_cents), 4) AS max_mode_cents,
       TRY_CAST(sum(d.input_tokens) AS BIGINT) AS input_tokens,
       TRY_CAST(sum(d.cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(d.output_tokens) AS BIGINT) AS output_tokens, count(DISTINCT d.day) AS days,
       TRY_CAST(sum(d.events) AS BIGINT) AS events, TRY_CAST(sum(d.with_tokens) AS BIGINT) AS with_tokens, TRY_CAST(sum(d.with_cost) AS BIGINT) AS with_cost,
       round(sum(d.estimated_cost_cents), 4) AS estimated_cost_cents
FROM dated d
GROUP BY d.week
ORDER BY d.week DESC NULLS LAST;
COMMENT ON VIEW answers.billed_by_week IS 'Tokens and cost that Cursor counted, per week; of the events, with_cost record their cost.';
