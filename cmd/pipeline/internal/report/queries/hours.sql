-- Messages by weekday and hour; the row without them has the messages that record no time of their own.
SELECT weekday, hour, sum(prompts) AS prompts, sum(messages) AS messages, CASE WHEN hour IS NOT NULL THEN sum(messages) END AS timed
FROM report.hours
WHERE true /* the period and the projects */
GROUP BY weekday, hour
ORDER BY weekday NULLS LAST, hour;
