-- How many sessions, conversations and messages were there per project and week?
-- One row per week (its Monday, in the reader's TimeZone) and project, latest week first, then the project with most messages.
-- A session and a conversation count in the week in which they started (a conversation: created, else first message, else last update),
-- a message in the week in which it was sent. Conversations are those that sessions are made of: without subagents, which have a column of
-- their own, without best-of-N copies, and without empty ones (no message, and none missing). messages are all live ones, those of subagents included; prompts are the user's
-- own, each once: what a subagent was told came from another agent. repeats of the user's messages are left out of prompts: a fork repeats them, or a best-of-N copy. The row with week NULL has what carries no time at all, the rows with project_uri NULL what no store gives a project.
-- Coverage: of the messages, real_times record their own time; the others stand where the message before them, or the conversation, was.
CREATE OR REPLACE VIEW answers.sessions_per_week AS
WITH parts AS (
    SELECT CAST(date_trunc('week', CAST(started_at AS DATE)) AS DATE) AS week, project_uri, project, count(*) AS sessions
    FROM main.live_sessions
    GROUP BY ALL
    UNION ALL BY NAME
    SELECT CAST(date_trunc('week', CAST(coalesce(created_at, first_message_at, updated_at) AS DATE)) AS DATE) AS week, project_uri, project,
           count(*) FILTER (WHERE NOT is_subagent AND best_of_parent_id IS NULL) AS conversations,
           count(*) FILTER (WHERE is_subagent) AS subagents
    FROM main.live_conversations
    WHERE (message_count > 0 OR missing_message_count > 0)
    GROUP BY ALL
    UNION ALL BY NAME
    SELECT CAST(date_trunc('week', CAST(m.created_at AS DATE)) AS DATE) AS week, c.project_uri, c.project,
           count(*) AS messages,
           count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL) AS prompts,
           count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated AND (m.is_repeat OR c.best_of_parent_id IS NOT NULL)) AS repeats,
           count(*) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS real_times
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL
    GROUP BY ALL
)
SELECT week, project, project_uri,
       TRY_CAST(coalesce(sum(sessions), 0) AS BIGINT) AS sessions,
       TRY_CAST(coalesce(sum(conversations), 0) AS BIGINT) AS conversations,
       TRY_CAST(coalesce(sum(subagents), 0) AS BIGINT) AS subagents,
       TRY_CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages,
       TRY_CAST(coalesce(sum(prompts), 0) AS BIGINT) AS prompts,
       TRY_CAST(coalesce(sum(real_times), 0) AS BIGINT) AS real_times,
       TRY_CAST(coalesce(sum(repeats), 0) AS BIGINT) AS repeats
FROM parts
GROUP BY week, project, project_uri
ORDER BY week DESC NULLS LAST, messages DESC, conversations DESC, project_uri NULLS LAST;
COMMENT ON VIEW answers.sessions_per_week IS 'Sessions, conversations, messages and prompts per week and project; of the messages, real_times record their own time.';
