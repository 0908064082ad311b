-- The sessions, the latest first.
SELECT CAST(started_at AS TIMESTAMP) AS started, CAST(ended_at AS TIMESTAMP) AS ended, project, active_ms, conversations, prompts, messages,
       NULL /* title */ AS title
FROM report_sessions
WHERE true /* the period and the projects */
ORDER BY started_at DESC, session_id;
