-- Cost by the week (its Monday) in which the conversation began, of those that record one.
SELECT CAST(date_trunc('week', day) AS DATE) AS week, sum(cost_cents) AS cost_cents, sum(cost_known) AS conversations_known, sum(conversations) AS conversations
FROM report.cost
WHERE true /* the period and the projects */
GROUP BY week
HAVING sum(conversations) > 0 OR sum(cost_cents) IS NOT NULL
ORDER BY week DESC;
