-- What the page computes with for other periods and projects: activity of each day and project.
SELECT day, project_uri, active_ms, day_active_ms, prompts, messages, real_times, conversations, repeats
FROM report.activity
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri;
