-- How many suggested lines were accepted on each day, as Cursor counts it?
-- One row per day, the latest first; Cursor cuts the days itself. A percentage is above 100 where lines suggested on one day were accepted on the next.
-- Coverage: a percentage is over the sources that record both of its figures, and NULL where none does. Days are Cursor's, whole: one that --since or --until cuts is in the parts before and after.
CREATE OR REPLACE VIEW answers.edit_acceptance_per_day_short AS
SELECT date AS day, TRY_CAST(sum(tab_accepted_lines) AS BIGINT) AS tab_lines,
       TRY_CAST(sum(tab_accepted_lines) FILTER (WHERE tab_suggested_lines IS NOT NULL)
           / nullif(sum(tab_suggested_lines) FILTER (WHERE tab_accepted_lines IS NOT NULL), 0) * 100 AS DECIMAL(18, 1)) AS tab_percent,
       TRY_CAST(sum(composer_accepted_lines) AS BIGINT) AS composer_lines,
       TRY_CAST(sum(composer_accepted_lines) FILTER (WHERE composer_suggested_lines IS NOT NULL)
           / nullif(sum(composer_suggested_lines) FILTER (WHERE composer_accepted_lines IS NOT NULL), 0) * 100 AS DECIMAL(18, 1)) AS composer_percent
FROM main.live_daily_edit_stats
GROUP BY date
ORDER BY date DESC;
COMMENT ON VIEW answers.edit_acceptance_per_day_short IS 'Accepted lines per day, as Cursor counts them.';
COMMENT ON COLUMN answers.edit_acceptance_per_day_short.day IS 'The day, as Cursor cuts it.';
COMMENT ON COLUMN answers.edit_acceptance_per_day_short.tab_lines IS 'Lines of Tab that were accepted.';
COMMENT ON COLUMN answers.edit_acceptance_per_day_short.tab_percent IS 'Accepted of the suggested lines of Tab, in percent.';
COMMENT ON COLUMN answers.edit_acceptance_per_day_short.composer_lines IS 'Lines of the composer that were accepted.';
COMMENT ON COLUMN answers.edit_acceptance_per_day_short.composer_percent IS 'Accepted of the suggested lines of the composer, in percent.';
