-- Tokens that Cursor counted, by week (its Monday).
SELECT CAST(date_trunc('week', day) AS DATE) AS week, sum(cache_read_tokens) AS cache_read_tokens, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
       sum(with_tokens) AS with_tokens, sum(events) AS events
FROM report.billed
WHERE true /* the period and the projects */
GROUP BY week
HAVING sum(events) > 0
ORDER BY week DESC;
