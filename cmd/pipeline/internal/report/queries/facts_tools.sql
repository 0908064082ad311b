-- What the page computes with for other periods and projects: calls of each day, project and tool.
SELECT day, project_uri, tool, sum(calls) AS calls, sum(outcome_known) AS outcome_known, sum(failed) AS failed
FROM report.tools
WHERE true /* the period and the projects */
GROUP BY day, project_uri, tool
ORDER BY day DESC, project_uri, tool;
