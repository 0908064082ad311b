-- What did Cursor count and bill in each week?
-- One row per week (in the reader's TimeZone), by its first day, the latest first. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the events that record a cost.
-- Total: usd, charged_usd, input_tokens, cached_tokens, output_tokens, known, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_week_short AS
SELECT week,
       TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       input_tokens,
       cache_read_tokens AS cached_tokens,
       output_tokens,
       with_cost AS known,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_week
ORDER BY week DESC NULLS LAST;
COMMENT ON VIEW answers.billed_by_week_short IS 'What Cursor counted and billed, per week.';
COMMENT ON COLUMN answers.billed_by_week_short.week IS 'First day of the week; NULL for events without a time.';
COMMENT ON COLUMN answers.billed_by_week_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_week_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_week_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_week_short.cached_tokens IS 'Of the input tokens, those that were read from the cache.';
COMMENT ON COLUMN answers.billed_by_week_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_week_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_week_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
