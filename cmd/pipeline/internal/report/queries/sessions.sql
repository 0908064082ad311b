-- The sessions, the latest first.
SELECT TRY(CAST(started_at AS TIMESTAMP)) AS started, TRY(CAST(ended_at AS TIMESTAMP)) AS ended, project, active_ms, conversations, prompts, messages,
       NULL /* title */ AS title
FROM report.sessions
WHERE true /* the period and the projects */
ORDER BY started_at DESC, session_id;
