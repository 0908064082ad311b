-- The conversations whose context window is fullest.
SELECT NULL /* title */ AS title, project, model, share, tokens_used, token_limit, TRY(CAST(started_at AS TIMESTAMP)) AS started, conversation_id, project_uri
FROM report.context
WHERE share IS NOT NULL AND true /* the period and the projects */
ORDER BY share DESC, tokens_used DESC, conversation_id, source_id;
