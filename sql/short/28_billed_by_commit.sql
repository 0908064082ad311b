-- What did each commit cost?
-- One row per commit to which conversations led, the latest first. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: usd is NULL where no event records a cost. A turn counts for the first commit after its prompt.
-- Total: usd, charged_usd, input_tokens, cached_tokens, output_tokens, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_commit_short AS
SELECT CAST(made_at AS DATE) AS day,
       subject,
       TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       input_tokens,
       cache_read_tokens AS cached_tokens,
       output_tokens,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_commit
ORDER BY made_at DESC, repository_id, commit_hash;
COMMENT ON VIEW answers.billed_by_commit_short IS 'Cost of each commit.';
COMMENT ON COLUMN answers.billed_by_commit_short.day IS 'Day of the commit.';
COMMENT ON COLUMN answers.billed_by_commit_short.subject IS 'First line of its message.';
COMMENT ON COLUMN answers.billed_by_commit_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_commit_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_commit_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_commit_short.cached_tokens IS 'Of the input tokens, those that were read from the cache.';
COMMENT ON COLUMN answers.billed_by_commit_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_commit_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
