-- How often and how long does each model think?
-- One row per model, most turns with thinking first, over all modes. percent is the part of the turns that have a thought.
-- Coverage: seconds_each is over the known thoughts, those whose time is recorded. A figure of fewer than 20 says little. Turns that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.thinking_time_short AS
SELECT model, TRY_CAST(sum(turns) AS BIGINT) AS turns, TRY_CAST(sum(turns_with_thinking) AS BIGINT) AS thinking, TRY_CAST(sum(turns_with_thinking) / nullif(sum(turns), 0) * 100 AS DECIMAL(18, 1)) AS percent,
       TRY_CAST(sum(thinking_ms) / nullif(sum(durations_known), 0) / 1000 AS DECIMAL(18, 1)) AS seconds_each, TRY_CAST(sum(durations_known) AS BIGINT) AS known
FROM answers.thinking_time
GROUP BY model
ORDER BY sum(turns_with_thinking) DESC, sum(turns) DESC, model;
COMMENT ON VIEW answers.thinking_time_short IS 'How often and how long each model thinks.';
COMMENT ON COLUMN answers.thinking_time_short.model IS 'The model that answered, else the one chosen for the conversation.';
COMMENT ON COLUMN answers.thinking_time_short.turns IS 'Turns: a prompt and its answers.';
COMMENT ON COLUMN answers.thinking_time_short.thinking IS 'Turns with a thought.';
COMMENT ON COLUMN answers.thinking_time_short.percent IS 'Their part of the turns, in percent.';
COMMENT ON COLUMN answers.thinking_time_short.seconds_each IS 'Mean time of a thought, in seconds.';
COMMENT ON COLUMN answers.thinking_time_short.known IS 'Thoughts whose time is recorded.';
