-- What did Cursor count and bill on each day?
-- One row per day (in the reader's TimeZone), over all projects and models, the latest first. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the events that record a cost.
-- Total: usd, charged_usd, input_tokens, cached_tokens, output_tokens, known, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_day_short AS
SELECT day,
       TRY_CAST(sum(cost_cents) / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(sum(charged_cents) / 100 AS DECIMAL(18, 2)) AS charged_usd,
       TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens,
       TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cached_tokens,
       TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
       TRY_CAST(sum(with_cost) AS BIGINT) AS known,
       TRY_CAST(sum(estimated_cost_cents) / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_day
GROUP BY day
ORDER BY day DESC NULLS LAST;
COMMENT ON VIEW answers.billed_by_day_short IS 'What Cursor counted and billed, per day.';
COMMENT ON COLUMN answers.billed_by_day_short.day IS 'The day; NULL for events without a time.';
COMMENT ON COLUMN answers.billed_by_day_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_day_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_day_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_day_short.cached_tokens IS 'Of the input tokens, those that were read from the cache.';
COMMENT ON COLUMN answers.billed_by_day_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_day_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_day_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
