-- Active time and messages of each day; time that two projects share counts once.
SELECT day, least(sum(active_ms), max(day_active_ms)) AS active_ms, sum(prompts) AS prompts, sum(messages) AS messages,
       sum(real_times) AS real_times, sum(conversations) AS conversations
FROM report.activity
WHERE true /* the period and the projects */
GROUP BY day
HAVING sum(messages) > 0 OR sum(conversations) > 0
ORDER BY day DESC;
