-- What did each project cost?
-- One row per project, the dearest first; the row without a project has what belongs to none. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the events that record a cost.
-- Total: usd, charged_usd, input_tokens, cached_tokens, output_tokens, known, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_project_short AS
SELECT project,
       TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       input_tokens,
       cache_read_tokens AS cached_tokens,
       output_tokens,
       with_cost AS known,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_project
ORDER BY cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, project NULLS LAST;
COMMENT ON VIEW answers.billed_by_project_short IS 'Cost per project.';
COMMENT ON COLUMN answers.billed_by_project_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.billed_by_project_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_project_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_project_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_project_short.cached_tokens IS 'Of the input tokens, those that were read from the cache.';
COMMENT ON COLUMN answers.billed_by_project_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_project_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_project_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
