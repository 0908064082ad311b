-- Tokens by week (its Monday), of the messages that record them.
SELECT CAST(date_trunc('week', day) AS DATE) AS week, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
       sum(messages_tokens_known) AS messages_known, sum(messages) AS messages
FROM report.cost
WHERE true /* the period and the projects */
GROUP BY week
ORDER BY week DESC;
