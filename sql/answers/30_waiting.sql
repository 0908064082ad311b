-- How long did I wait for an answer, by model?
-- One row per model that ended a turn (turns.model), the one with the most prompts first; a row without a model has the turns that record none. A wait is the time from a prompt to the last
-- message of its turn, so an agent's whole work counts. Turns that failed or were aborted are in prompts, and their waits are left out.
-- Coverage: of the prompts, known were answered and have both times recorded; percentiles are over these.
CREATE OR REPLACE VIEW answers.waiting AS
WITH waits AS (
    SELECT model, outcome, CASE WHEN outcome IN ('answered', 'unknown') THEN waited_ms END AS waited_ms
    FROM main.turns
)
SELECT model, count(*) AS prompts, count(waited_ms) AS known, TRY_CAST(quantile_cont(waited_ms, 0.5) AS BIGINT) AS median_ms, TRY_CAST(quantile_cont(waited_ms, 0.95) AS BIGINT) AS p95_ms,
       max(waited_ms) AS longest_ms, TRY_CAST(sum(waited_ms) AS BIGINT) AS waited_ms, count(*) FILTER (WHERE outcome = 'failed') AS failed, count(*) FILTER (WHERE outcome = 'aborted') AS aborted
FROM waits
GROUP BY model
ORDER BY prompts DESC, model NULLS LAST;
COMMENT ON VIEW answers.waiting IS 'Time from prompts to the end of their turns, per model; percentiles are over the known ones.';
