-- On how many days in a row did I work with Cursor?
-- One row per run of consecutive days (in the reader's TimeZone) with a prompt on each, the longest first.
-- Coverage: prompts without a recorded time are on no day.
CREATE OR REPLACE VIEW answers.streaks_short AS
SELECT days, first_day, last_day, prompts
FROM answers.streaks
ORDER BY days DESC, first_day DESC;
COMMENT ON VIEW answers.streaks_short IS 'Runs of consecutive days with a prompt.';
COMMENT ON COLUMN answers.streaks_short.days IS 'Number of days.';
COMMENT ON COLUMN answers.streaks_short.first_day IS 'The first of them.';
COMMENT ON COLUMN answers.streaks_short.last_day IS 'The last of them.';
COMMENT ON COLUMN answers.streaks_short.prompts IS 'What was typed on them.';
