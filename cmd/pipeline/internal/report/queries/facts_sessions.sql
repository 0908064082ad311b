-- What the page computes with for other periods and projects: sessions that began on each day.
SELECT day, project_uri, count(*) AS sessions
FROM report.sessions
WHERE true /* the period and the projects */
GROUP BY day, project_uri
ORDER BY day DESC, project_uri;
