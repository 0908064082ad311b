-- The conversations of the period, those with the latest day first: without subagents.
SELECT NULL /* title */ AS title, any_value(project) AS project, TRY(CAST(date_trunc('minute', any_value(started_at)) AS TIMESTAMP)) AS started, max(day) AS last_day, sum(messages) AS messages, 1 AS listed,
       conversation_id, source_id, any_value(project_uri) AS project_uri
FROM report.conversations
WHERE NOT is_subagent AND true /* the period and the projects */
GROUP BY ALL
ORDER BY last_day DESC, started DESC NULLS LAST, conversation_id, source_id;
