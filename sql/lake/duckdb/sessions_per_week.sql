-- Made by translate.py from sql/answers/01_sessions_per_week.sql, sha256 fd2d6aecdb0147679fea84bf486d7740142a0cc5009cded271d0c823c456e5b8
-- Sessions, conversations, messages and prompts per week and project; real_times of messages record their own time.
CREATE OR REPLACE TEMP VIEW sessions_per_week AS
WITH parts AS (
  SELECT
    live_sessions.machine_id AS machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(live_sessions.started_at AS DATE)) AS DATE) AS week,
    live_sessions.project_uri AS project_uri,
    live_sessions.project AS project,
    COUNT(*) AS sessions,
    CAST(NULL AS BIGINT) AS conversations,
    CAST(NULL AS BIGINT) AS subagents,
    CAST(NULL AS BIGINT) AS messages,
    CAST(NULL AS BIGINT) AS prompts,
    CAST(NULL AS BIGINT) AS repeats,
    CAST(NULL AS BIGINT) AS real_times
  FROM live_sessions AS live_sessions
  GROUP BY
    live_sessions.machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(live_sessions.started_at AS DATE)) AS DATE),
    live_sessions.project_uri,
    live_sessions.project,
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT)
  UNION ALL
  SELECT
    live_conversations.machine_id AS machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS DATE)) AS DATE) AS week,
    live_conversations.project_uri AS project_uri,
    live_conversations.project AS project,
    CAST(NULL AS BIGINT) AS sessions,
    COUNT(*) FILTER(WHERE
      NOT live_conversations.is_subagent AND live_conversations.best_of_parent_id IS NULL) AS conversations,
    COUNT(*) FILTER(WHERE
      live_conversations.is_subagent) AS subagents,
    CAST(NULL AS BIGINT) AS messages,
    CAST(NULL AS BIGINT) AS prompts,
    CAST(NULL AS BIGINT) AS repeats,
    CAST(NULL AS BIGINT) AS real_times
  FROM live_conversations AS live_conversations
  WHERE
    (
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    )
  GROUP BY
    live_conversations.machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS DATE)) AS DATE),
    live_conversations.project_uri,
    live_conversations.project,
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT)
  UNION ALL
  SELECT
    m.machine_id AS machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(m.created_at AS DATE)) AS DATE) AS week,
    c.project_uri AS project_uri,
    c.project AS project,
    CAST(NULL AS BIGINT) AS sessions,
    CAST(NULL AS BIGINT) AS conversations,
    CAST(NULL AS BIGINT) AS subagents,
    COUNT(*) AS messages,
    COUNT(*) FILTER(WHERE
      m.role = 'user' AND NOT m.is_simulated IS TRUE AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL) AS prompts,
    COUNT(*) FILTER(WHERE
      m.role = 'user' AND NOT m.is_simulated IS TRUE AND (
        m.is_repeat OR NOT c.best_of_parent_id IS NULL
      )) AS repeats,
    COUNT(*) FILTER(WHERE
      m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS real_times
  FROM messages AS m
  JOIN live_conversations AS c
    ON c.machine_id = m.machine_id AND (
      c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    )
  WHERE
    m.deleted_at IS NULL
  GROUP BY
    m.machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(m.created_at AS DATE)) AS DATE),
    c.project_uri,
    c.project,
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT),
    CAST(NULL AS BIGINT)
)
SELECT
  parts.machine_id AS machine_id,
  parts.week AS week,
  parts.project AS project,
  parts.project_uri AS project_uri,
  TRY_CAST(COALESCE(SUM(parts.sessions), 0) AS BIGINT) AS sessions,
  TRY_CAST(COALESCE(SUM(parts.conversations), 0) AS BIGINT) AS conversations,
  TRY_CAST(COALESCE(SUM(parts.subagents), 0) AS BIGINT) AS subagents,
  TRY_CAST(COALESCE(SUM(parts.messages), 0) AS BIGINT) AS messages,
  TRY_CAST(COALESCE(SUM(parts.prompts), 0) AS BIGINT) AS prompts,
  TRY_CAST(COALESCE(SUM(parts.real_times), 0) AS BIGINT) AS real_times,
  TRY_CAST(COALESCE(SUM(parts.repeats), 0) AS BIGINT) AS repeats
FROM parts AS parts
GROUP BY
  parts.machine_id,
  parts.week,
  parts.project,
  parts.project_uri;
