-- Which share of the suggested lines was accepted, day by day, as Cursor counts it?
-- One row per day, the latest first, over all sources (those that share chats count a day once: live_daily_edit_stats). Cursor counts suggested and accepted lines itself, of Tab and of the composer, and cuts
-- the days itself: the reader's time zone changes nothing. A rate is over the sources that record both of its figures for the day; it is above 1
-- where lines suggested on one day were accepted on the next. What Cursor counts names no messages: what a fork repeats cannot be told.
-- Coverage: of the sources, tab_known and composer_known record both figures. Days are Cursor's, whole: one that --since or --until cuts is in the parts before and after.
CREATE OR REPLACE VIEW answers.edit_acceptance_per_day AS
WITH both_known AS (
    SELECT date, source_id, tab_suggested_lines, tab_accepted_lines, composer_suggested_lines, composer_accepted_lines,
           tab_suggested_lines IS NOT NULL AND tab_accepted_lines IS NOT NULL AS has_tab,
           composer_suggested_lines IS NOT NULL AND composer_accepted_lines IS NOT NULL AS has_composer
    FROM main.live_daily_edit_stats
)
SELECT date,
       count(*) AS sources,
       count(*) FILTER (WHERE has_tab) AS tab_known,
       TRY_CAST(sum(tab_suggested_lines) AS BIGINT) AS tab_suggested_lines,
       TRY_CAST(sum(tab_accepted_lines) AS BIGINT) AS tab_accepted_lines,
       round(sum(tab_accepted_lines) FILTER (WHERE has_tab) / nullif(sum(tab_suggested_lines) FILTER (WHERE has_tab), 0), 4) AS tab_acceptance_rate,
       count(*) FILTER (WHERE has_composer) AS composer_known,
       TRY_CAST(sum(composer_suggested_lines) AS BIGINT) AS composer_suggested_lines,
       TRY_CAST(sum(composer_accepted_lines) AS BIGINT) AS composer_accepted_lines,
       round(sum(composer_accepted_lines) FILTER (WHERE has_composer)
           / nullif(sum(composer_suggested_lines) FILTER (WHERE has_composer), 0), 4) AS composer_acceptance_rate
FROM both_known
GROUP BY date
ORDER BY date DESC;
COMMENT ON VIEW answers.edit_acceptance_per_day IS 'Lines suggested and accepted per day, as Cursor counts them; of the sources, tab_known and composer_known record both.';
