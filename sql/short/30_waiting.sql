-- How long did I wait for an answer, by model?
-- One row per model, the one with the most prompts first. A wait ends with the last message of the turn; half of the waits were no longer than median, 95 of 100 no longer than p95.
-- Coverage: known counts the prompts that were answered and have both times recorded.
CREATE OR REPLACE VIEW answers.waiting_short AS
SELECT model, prompts, known, TRY_CAST(median_ms / 1000 AS DECIMAL(18, 1)) AS median_seconds, TRY_CAST(p95_ms / 1000 AS DECIMAL(18, 1)) AS p95_seconds
FROM answers.waiting
ORDER BY prompts DESC, model NULLS LAST;
COMMENT ON VIEW answers.waiting_short IS 'Time from prompts to the end of their turns, per model.';
COMMENT ON COLUMN answers.waiting_short.model IS 'The model; NULL where none is recorded.';
COMMENT ON COLUMN answers.waiting_short.prompts IS 'What was asked of it.';
COMMENT ON COLUMN answers.waiting_short.known IS 'Prompts that were answered and have both times recorded.';
COMMENT ON COLUMN answers.waiting_short.median_seconds IS 'Half of the waits were no longer, in seconds.';
COMMENT ON COLUMN answers.waiting_short.p95_seconds IS '95 of 100 waits were no longer, in seconds.';
