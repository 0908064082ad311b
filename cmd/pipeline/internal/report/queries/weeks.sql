-- Active time by week (its Monday) and project. Time that two projects share counts for both.
SELECT CAST(date_trunc('week', day) AS DATE) AS week, any_value(project) AS project, sum(active_ms) AS active_ms, sum(prompts) AS prompts, sum(messages) AS messages,
       sum(real_times) AS real_times, project_uri
FROM report.activity
WHERE true /* the period and the projects */
GROUP BY week, project_uri
HAVING sum(messages) > 0
ORDER BY week DESC, active_ms DESC NULLS LAST, messages DESC, project_uri;
