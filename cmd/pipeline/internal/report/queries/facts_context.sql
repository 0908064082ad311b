-- What the page computes with for other periods and projects: the context of each conversation at its last turn, and how many do not record it.
SELECT day, project_uri, source_id, conversation_id, NULL /* title */ AS title, is_subagent, TRY(CAST(started_at AS TIMESTAMP)) AS started, model, share, tokens_used, token_limit,
       1 AS conversations
FROM report.context
WHERE share IS NOT NULL AND true /* the period and the projects */
UNION ALL BY NAME
SELECT day, project_uri, count(*) AS conversations
FROM report.context
WHERE share IS NULL AND true /* the period and the projects */
GROUP BY day, project_uri
ORDER BY day DESC, share DESC NULLS LAST, conversation_id, source_id, project_uri;
