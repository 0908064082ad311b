-- What the page computes with for other periods and projects: messages of each day, project and hour.
SELECT day, project_uri, hour, prompts, messages
FROM report.hours
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri, hour;
