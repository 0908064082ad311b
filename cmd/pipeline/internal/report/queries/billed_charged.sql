-- What Cursor charged, by week (its Monday), and beside it what the requests are worth.
SELECT CAST(date_trunc('week', day) AS DATE) AS week, sum(charged_cents) AS charged_cents, sum(cost_cents) AS cost_cents, sum(with_charge) AS with_charge, sum(events) AS events
FROM report.billed
WHERE true /* the period and the projects */
GROUP BY week
HAVING sum(events) > 0
ORDER BY week DESC;
