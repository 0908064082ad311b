-- On how many days in a row did I work with Cursor?
-- One row per run of consecutive days (in the reader's TimeZone) with a prompt on each, the longest first. is_latest marks the one that ends with the last day of all.
-- Coverage: prompts without a recorded time are on no day.
CREATE OR REPLACE VIEW answers.streaks AS
WITH days AS (
    SELECT CAST(asked_at AS DATE) AS day, count(*) AS prompts
    FROM main.turns
    WHERE asked_at IS NOT NULL
    GROUP BY day
), numbered AS (
    SELECT day, prompts, day - CAST(row_number() OVER (ORDER BY day) AS INTEGER) AS run
    FROM days
)
SELECT count(*) AS days, min(day) AS first_day, max(day) AS last_day, TRY_CAST(sum(prompts) AS BIGINT) AS prompts, max(day) = max(max(day)) OVER () AS is_latest
FROM numbered
GROUP BY run
ORDER BY days DESC, first_day DESC;
COMMENT ON VIEW answers.streaks IS 'Runs of consecutive days with a prompt; prompts without a recorded time are on no day.';
