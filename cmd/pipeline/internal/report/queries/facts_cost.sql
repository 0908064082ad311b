-- What the page computes with for other periods and projects: recorded tokens and cost of each day and project.
SELECT day, project_uri, sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, sum(messages) AS messages, sum(messages_tokens_known) AS messages_tokens_known,
       sum(cost_cents) AS cost_cents, sum(cost_known) AS cost_known, sum(conversations) AS conversations
FROM report.cost
WHERE true /* the period and the projects */
GROUP BY day, project_uri
ORDER BY day DESC, project_uri;
