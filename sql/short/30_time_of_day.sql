-- At what time of day, and on which weekdays, do I work?
-- One row per hour of the day (in the reader's TimeZone) in which a prompt was typed. weekdays are Monday to Friday; percent is the hour's part of all prompts with a time.
-- Coverage: prompts without a recorded time are in no row.
CREATE OR REPLACE VIEW answers.time_of_day_short AS
SELECT hour, TRY_CAST(sum(prompts) AS BIGINT) AS prompts, TRY_CAST(100 * sum(prompts) / sum(sum(prompts)) OVER () AS DECIMAL(18, 1)) AS percent,
       TRY_CAST(coalesce(sum(prompts) FILTER (WHERE weekday < 6), 0) AS BIGINT) AS weekdays, TRY_CAST(coalesce(sum(prompts) FILTER (WHERE weekday > 5), 0) AS BIGINT) AS weekend
FROM answers.time_of_day
GROUP BY hour
ORDER BY hour;
COMMENT ON VIEW answers.time_of_day_short IS 'Prompts per hour of the day.';
COMMENT ON COLUMN answers.time_of_day_short.hour IS 'Hour of the day, 0 to 23.';
COMMENT ON COLUMN answers.time_of_day_short.prompts IS 'Prompts typed in it.';
COMMENT ON COLUMN answers.time_of_day_short.percent IS 'Their part of all, in percent.';
COMMENT ON COLUMN answers.time_of_day_short.weekdays IS 'Of these, on Mondays to Fridays.';
COMMENT ON COLUMN answers.time_of_day_short.weekend IS 'Of these, on Saturdays and Sundays.';
