-- What did Cursor count and bill in each month, and what will this month be?
-- One row per month, by its first day (in the reader's TimeZone), over all projects and models, the latest first: the sums of billed_by_day. Costs are US cents: cost_cents is what the tokens
-- are worth, whether paid or included in the plan; charged_cents is what was charged. input_tokens has those read from the cache, too.
-- expected_cost_cents and expected_charged_cents are estimates: what the month of the last run will be if it goes on as it began. They are NULL for other months, and on a month's first day.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. Estimates of turns without an event are in no other figure than estimated_cost_cents.
-- Total: cost_cents, charged_cents, included_cents, max_mode_cents, input_tokens, cache_read_tokens, output_tokens, events, with_tokens, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_month AS
WITH dated AS (
    SELECT CAST(date_trunc('month', day) AS DATE) AS month, *
    FROM answers.billed_by_day
), run AS (
    -- until the last run events can be known
    SELECT CAST(date_trunc('month', max(last_seen_at)) AS DATE) AS this_month, day(last_day(max(last_seen_at))) AS days_of_month,
           (epoch(max(last_seen_at)) - epoch(date_trunc('month', max(last_seen_at)))) / 86400 AS days_gone
    FROM main.sources
)
SELECT d.month, round(sum(d.cost_cents), 4) AS cost_cents, round(sum(d.charged_cents), 4) AS charged_cents, round(sum(d.included_cents), 4) AS included_cents, round(sum(d.max_mode_cents), 4) AS max_mode_cents,
       TRY_CAST(sum(d.input_tokens) AS BIGINT) AS input_tokens,
       TRY_CAST(sum(d.cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(d.output_tokens) AS BIGINT) AS output_tokens, count(DISTINCT d.day) AS days,
       TRY_CAST(sum(d.events) AS BIGINT) AS events, TRY_CAST(sum(d.with_tokens) AS BIGINT) AS with_tokens, TRY_CAST(sum(d.with_cost) AS BIGINT) AS with_cost,
       round(sum(d.estimated_cost_cents), 4) AS estimated_cost_cents,
       round(sum(d.cost_cents) * any_value(r.days_of_month) / any_value(r.days_gone), 4) AS expected_cost_cents,
       round(sum(d.charged_cents) * any_value(r.days_of_month) / any_value(r.days_gone), 4) AS expected_charged_cents
FROM dated d
LEFT JOIN run r ON r.this_month = d.month AND r.days_gone >= 1
GROUP BY d.month
ORDER BY d.month DESC NULLS LAST;
COMMENT ON VIEW answers.billed_by_month IS 'Tokens and cost that Cursor counted, per month; of the events, with_cost record their cost. What the month of the last run will be is an estimate.';
