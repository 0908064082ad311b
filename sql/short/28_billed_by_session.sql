-- What did each session cost?
-- One row per session of which an event or an estimate is known, the dearest first; the row without a title and a day has what belongs to no session. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: usd_per_hour is over the session's length, and NULL where no message of it records its time.
-- Total: usd, charged_usd, input_tokens, output_tokens, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_session_short AS
SELECT title,
       project,
       CAST(started_at AS DATE) AS day,
       TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       input_tokens,
       output_tokens,
       TRY_CAST(cents_per_hour / 100 AS DECIMAL(18, 2)) AS usd_per_hour,
       TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_session
ORDER BY cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, session_id NULLS LAST;
COMMENT ON VIEW answers.billed_by_session_short IS 'Cost per session.';
COMMENT ON COLUMN answers.billed_by_session_short.title IS 'Title of the session''s first conversation.';
COMMENT ON COLUMN answers.billed_by_session_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.billed_by_session_short.day IS 'Day on which the session began.';
COMMENT ON COLUMN answers.billed_by_session_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_session_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_session_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_session_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_session_short.usd_per_hour IS 'The same for each hour of the session.';
COMMENT ON COLUMN answers.billed_by_session_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
