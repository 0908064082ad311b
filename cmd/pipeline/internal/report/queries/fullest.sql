-- The conversations whose context window is fullest: pipeline show ID reads one.
SELECT left(conversation_id, 8) AS conversation, NULL /* title */ AS title, project, model, share, tokens_used, token_limit
FROM report.context
WHERE share IS NOT NULL AND true /* the period and the projects */
ORDER BY share DESC, tokens_used DESC, conversation_id;
