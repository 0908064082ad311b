-- How many hours of work were there on each day?
-- One row per day (in the reader's TimeZone) over all projects, the latest first; time that two projects share counts once. What counts as work is said at active_time_per_day.
-- Coverage: timed_percent of the messages record their own time, and only these make hours; hours is NULL where none does.
CREATE OR REPLACE VIEW answers.active_time_per_day_short AS
SELECT day, TRY_CAST(any_value(day_active_ms) / 3600000 AS DECIMAL(18, 2)) AS hours, count(project_uri) AS projects, TRY_CAST(sum(prompts) AS BIGINT) AS prompts, TRY_CAST(sum(messages) AS BIGINT) AS messages,
       TRY_CAST(sum(real_times) / nullif(sum(messages), 0) * 100 AS DECIMAL(18, 1)) AS timed_percent
FROM answers.active_time_per_day
WHERE day IS NOT NULL
GROUP BY day
ORDER BY day DESC;
COMMENT ON VIEW answers.active_time_per_day_short IS 'Hours of work per day, over all projects.';
COMMENT ON COLUMN answers.active_time_per_day_short.day IS 'The day.';
COMMENT ON COLUMN answers.active_time_per_day_short.hours IS 'Hours in which user or agent was busy, what projects share counted once; a lower bound.';
COMMENT ON COLUMN answers.active_time_per_day_short.projects IS 'Projects with activity on the day.';
COMMENT ON COLUMN answers.active_time_per_day_short.prompts IS 'What the user asked on the day, repeats left out.';
COMMENT ON COLUMN answers.active_time_per_day_short.messages IS 'Messages of the day.';
COMMENT ON COLUMN answers.active_time_per_day_short.timed_percent IS 'Messages of the day that record their own time, in percent.';
