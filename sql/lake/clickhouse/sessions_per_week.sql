-- Made by translate.py from sql/answers/01_sessions_per_week.sql, sha256 fd2d6aecdb0147679fea84bf486d7740142a0cc5009cded271d0c823c456e5b8
-- Sessions, conversations, messages and prompts per week and project; real_times of messages record their own time.
CREATE OR REPLACE VIEW sessions_per_week AS
WITH parts AS (
  SELECT
    live_sessions.machine_id AS machine_id,
    CAST(dateTrunc('WEEK', CAST(live_sessions.started_at AS Nullable(Date32))) AS Nullable(Date32)) AS week,
    live_sessions.project_uri AS project_uri,
    live_sessions.project AS project,
    CAST(COUNT(*) AS Nullable(Int64)) AS sessions,
    CAST(NULL AS Nullable(Int64)) AS conversations,
    CAST(NULL AS Nullable(Int64)) AS subagents,
    CAST(NULL AS Nullable(Int64)) AS messages,
    CAST(NULL AS Nullable(Int64)) AS prompts,
    CAST(NULL AS Nullable(Int64)) AS repeats,
    CAST(NULL AS Nullable(Int64)) AS real_times
  FROM live_sessions AS live_sessions
  GROUP BY
    live_sessions.machine_id,
    CAST(dateTrunc('WEEK', CAST(live_sessions.started_at AS Nullable(Date32))) AS Nullable(Date32)),
    live_sessions.project_uri,
    live_sessions.project,
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64))
  UNION ALL
  SELECT
    live_conversations.machine_id AS machine_id,
    CAST(dateTrunc('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS Nullable(Date32))) AS Nullable(Date32)) AS week,
    live_conversations.project_uri AS project_uri,
    live_conversations.project AS project,
    CAST(NULL AS Nullable(Int64)) AS sessions,
    CAST(COUNT(CASE WHEN NOT live_conversations.is_subagent AND live_conversations.best_of_parent_id IS NULL THEN 1 END) AS Nullable(Int64)) AS conversations,
    CAST(COUNT(CASE WHEN live_conversations.is_subagent THEN 1 END) AS Nullable(Int64)) AS subagents,
    CAST(NULL AS Nullable(Int64)) AS messages,
    CAST(NULL AS Nullable(Int64)) AS prompts,
    CAST(NULL AS Nullable(Int64)) AS repeats,
    CAST(NULL AS Nullable(Int64)) AS real_times
  FROM live_conversations AS live_conversations
  WHERE
    (
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    )
  GROUP BY
    live_conversations.machine_id,
    CAST(dateTrunc('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS Nullable(Date32))) AS Nullable(Date32)),
    live_conversations.project_uri,
    live_conversations.project,
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64))
  UNION ALL
  SELECT
    m.machine_id AS machine_id,
    CAST(dateTrunc('WEEK', CAST(m.created_at AS Nullable(Date32))) AS Nullable(Date32)) AS week,
    c.project_uri AS project_uri,
    c.project AS project,
    CAST(NULL AS Nullable(Int64)) AS sessions,
    CAST(NULL AS Nullable(Int64)) AS conversations,
    CAST(NULL AS Nullable(Int64)) AS subagents,
    CAST(COUNT(*) AS Nullable(Int64)) AS messages,
    CAST(COUNT(
      CASE
        WHEN m.role = 'user' AND NOT (
          m.is_simulated IS TRUE
        ) AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL
        THEN 1
      END
    ) AS Nullable(Int64)) AS prompts,
    CAST(COUNT(CASE WHEN m.role = 'user' AND NOT (
      m.is_simulated IS TRUE
    ) AND (
      m.is_repeat OR NOT (
        c.best_of_parent_id IS NULL
      )
    ) THEN 1 END) AS Nullable(Int64)) AS repeats,
    CAST(COUNT(CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN 1 END) AS Nullable(Int64)) AS real_times
  FROM messages AS m
  JOIN live_conversations AS c
    ON c.machine_id = m.machine_id AND (
      c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    )
  WHERE
    m.deleted_at IS NULL
  GROUP BY
    m.machine_id,
    CAST(dateTrunc('WEEK', CAST(m.created_at AS Nullable(Date32))) AS Nullable(Date32)),
    c.project_uri,
    c.project,
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64)),
    CAST(NULL AS Nullable(Int64))
)
SELECT
  parts.machine_id AS machine_id,
  parts.week AS week,
  parts.project AS project,
  parts.project_uri AS project_uri,
  accurateCastOrNull(COALESCE(SUM(parts.sessions), 0), 'Int64') AS sessions,
  accurateCastOrNull(COALESCE(SUM(parts.conversations), 0), 'Int64') AS conversations,
  accurateCastOrNull(COALESCE(SUM(parts.subagents), 0), 'Int64') AS subagents,
  accurateCastOrNull(COALESCE(SUM(parts.messages), 0), 'Int64') AS messages,
  accurateCastOrNull(COALESCE(SUM(parts.prompts), 0), 'Int64') AS prompts,
  accurateCastOrNull(COALESCE(SUM(parts.real_times), 0), 'Int64') AS real_times,
  accurateCastOrNull(COALESCE(SUM(parts.repeats), 0), 'Int64') AS repeats
FROM parts AS parts
GROUP BY
  parts.machine_id,
  parts.week,
  parts.project,
  parts.project_uri
SETTINGS join_use_nulls = 1;
