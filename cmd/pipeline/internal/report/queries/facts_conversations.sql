-- What the page lists behind a bar: the conversations of each day, with their tools and models.
SELECT day, project_uri, source_id, conversation_id, NULL /* title */ AS title, is_subagent, TRY(CAST(started_at AS TIMESTAMP)) AS started, messages, tools, models, billed_models
FROM report.conversations
WHERE true /* the period and the projects */
ORDER BY day DESC, started_at DESC NULLS LAST, conversation_id;
