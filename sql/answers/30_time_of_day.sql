-- At what time of day, and on which weekdays, do I work?
-- One row per weekday and hour (in the reader's TimeZone) in which a prompt was typed, in their order. weekday is 1 for Monday to 7 for Sunday, hour is 0 to 23.
-- Coverage: prompts without a recorded time are in no row; without_time counts them (the same in every row).
CREATE OR REPLACE VIEW answers.time_of_day AS
SELECT isodow(asked_at) AS weekday, hour(asked_at) AS hour, count(*) AS prompts, count(DISTINCT CAST(asked_at AS DATE)) AS days,
       (SELECT count(*) FROM main.turns WHERE asked_at IS NULL) AS without_time
FROM main.turns
WHERE asked_at IS NOT NULL
GROUP BY ALL
ORDER BY ALL;
COMMENT ON VIEW answers.time_of_day IS 'Prompts per weekday and hour; those without a recorded time are in no row.';
