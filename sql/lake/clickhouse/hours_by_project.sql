-- Made by translate.py from sql/answers/02_hours_by_project.sql, sha256 0cec28358df5fd5b0dc85fcd447273a1d487f6e9e6dad15c57bb9e715e104d8b
-- Active time, sessions and prompts per project; what projects share is in shared_ms. real_times of messages record their own time.
CREATE OR REPLACE VIEW hours_by_project AS
WITH periods AS (
  SELECT
    live_activity_periods.machine_id AS machine_id,
    live_activity_periods.project_uri AS project_uri,
    live_activity_periods.project AS project,
    toUnixTimestamp64Milli(live_activity_periods.started_at) AS from_ms,
    toUnixTimestamp64Milli(live_activity_periods.ended_at) AS to_ms
  FROM live_activity_periods AS live_activity_periods
), reached AS (
  SELECT
    periods.machine_id AS machine_id,
    periods.project_uri AS project_uri,
    periods.project AS project,
    periods.from_ms AS from_ms,
    periods.to_ms AS to_ms,
    MAX(periods.to_ms) OVER (PARTITION BY periods.machine_id, periods.project_uri ORDER BY periods.from_ms, periods.to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS project_ms,
    MAX(periods.to_ms) OVER (PARTITION BY periods.machine_id ORDER BY periods.from_ms, periods.to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS all_ms
  FROM periods AS periods
), stretches AS (
  SELECT
    reached.machine_id AS machine_id,
    reached.project_uri AS project_uri,
    reached.project AS project,
    GREATEST(reached.from_ms, reached.project_ms) AS from_ms,
    reached.to_ms AS to_ms
  FROM reached AS reached
  WHERE
    reached.to_ms > GREATEST(reached.from_ms, reached.project_ms)
), bounds AS (
  SELECT
    _0.machine_id AS machine_id,
    _0.at_ms AS at_ms,
    SUM(SUM(_0.step)) OVER (PARTITION BY _0.machine_id ORDER BY _0.at_ms) AS projects,
    lead(_0.at_ms) OVER (PARTITION BY _0.machine_id ORDER BY _0.at_ms) AS next_ms
  FROM (
    SELECT
      stretches.machine_id AS machine_id,
      stretches.from_ms AS at_ms,
      1 AS step
    FROM stretches AS stretches
    UNION ALL
    SELECT
      stretches.machine_id AS machine_id,
      stretches.to_ms AS to_ms,
      -1 AS _col_1
    FROM stretches AS stretches
  ) AS _0
  GROUP BY
    _0.machine_id,
    _0.at_ms
), shared AS (
  SELECT
    s.machine_id AS machine_id,
    s.project_uri AS project_uri,
    SUM(b.next_ms - b.at_ms) AS shared_ms
  FROM stretches AS s
  JOIN bounds AS b
    ON b.machine_id = s.machine_id AND (
      b.at_ms >= s.from_ms AND b.next_ms <= s.to_ms
    )
  WHERE
    b.projects > 1
  GROUP BY
    s.machine_id,
    s.project_uri
), active AS (
  SELECT
    reached.machine_id AS machine_id,
    reached.project_uri AS project_uri,
    reached.project AS project,
    CAST(COUNT(*) AS Nullable(Int64)) AS periods,
    SUM(GREATEST(reached.to_ms - GREATEST(reached.from_ms, reached.project_ms), 0)) AS active_ms,
    SUM(GREATEST(reached.to_ms - GREATEST(reached.from_ms, reached.all_ms), 0)) AS own_ms
  FROM reached AS reached
  GROUP BY
    reached.machine_id,
    reached.project_uri,
    reached.project
), begun AS (
  SELECT
    live_sessions.machine_id AS machine_id,
    live_sessions.project_uri AS project_uri,
    live_sessions.project AS project,
    CAST(COUNT(*) AS Nullable(Int64)) AS sessions
  FROM live_sessions AS live_sessions
  GROUP BY
    live_sessions.machine_id,
    live_sessions.project_uri,
    live_sessions.project
), talked AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.project_uri AS project_uri,
    live_conversations.project AS project,
    CAST(COUNT(*) AS Nullable(Int64)) AS conversations
  FROM live_conversations AS live_conversations
  WHERE
    (
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    )
    AND NOT live_conversations.is_subagent
    AND live_conversations.best_of_parent_id IS NULL
  GROUP BY
    live_conversations.machine_id,
    live_conversations.project_uri,
    live_conversations.project
), sent AS (
  SELECT
    m.machine_id AS machine_id,
    c.project_uri AS project_uri,
    c.project AS project,
    CAST(COUNT(*) AS Nullable(Int64)) AS messages,
    CAST(COUNT(
      CASE
        WHEN m.role = 'user' AND NOT (
          m.is_simulated IS TRUE
        ) AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL
        THEN 1
      END
    ) AS Nullable(Int64)) AS prompts,
    CAST(COUNT(CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN 1 END) AS Nullable(Int64)) AS real_times,
    MAX(m.created_at) AS last_active_at
  FROM messages AS m
  JOIN live_conversations AS c
    ON c.machine_id = m.machine_id AND (
      c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    )
  WHERE
    m.deleted_at IS NULL
  GROUP BY
    m.machine_id,
    c.project_uri,
    c.project
), projects AS (
  SELECT
    _1.machine_id AS machine_id,
    _1.project AS project,
    _1.project_uri AS project_uri,
    accurateCastOrNull(SUM(_1.active_ms), 'Int64') AS active_ms,
    SUM(_1.own_ms) AS own_ms,
    accurateCastOrNull(COALESCE(SUM(_1.periods), 0), 'Int64') AS periods,
    accurateCastOrNull(COALESCE(SUM(_1.sessions), 0), 'Int64') AS sessions,
    accurateCastOrNull(COALESCE(SUM(_1.conversations), 0), 'Int64') AS conversations,
    accurateCastOrNull(COALESCE(SUM(_1.messages), 0), 'Int64') AS messages,
    accurateCastOrNull(COALESCE(SUM(_1.prompts), 0), 'Int64') AS prompts,
    accurateCastOrNull(COALESCE(SUM(_1.real_times), 0), 'Int64') AS real_times,
    MAX(_1.last_active_at) AS last_active_at
  FROM (
    SELECT
      active.machine_id AS machine_id,
      active.project_uri AS project_uri,
      active.project AS project,
      active.periods AS periods,
      active.active_ms AS active_ms,
      active.own_ms AS own_ms,
      CAST(NULL AS Nullable(Int64)) AS sessions,
      CAST(NULL AS Nullable(Int64)) AS conversations,
      CAST(NULL AS Nullable(Int64)) AS messages,
      CAST(NULL AS Nullable(Int64)) AS prompts,
      CAST(NULL AS Nullable(Int64)) AS real_times,
      CAST(NULL AS Nullable(DateTime64(6, 'UTC'))) AS last_active_at
    FROM active AS active
    UNION ALL
    SELECT
      begun.machine_id AS machine_id,
      begun.project_uri AS project_uri,
      begun.project AS project,
      CAST(NULL AS Nullable(Int64)) AS periods,
      CAST(NULL AS Nullable(Int64)) AS active_ms,
      CAST(NULL AS Nullable(Int64)) AS own_ms,
      begun.sessions AS sessions,
      CAST(NULL AS Nullable(Int64)) AS conversations,
      CAST(NULL AS Nullable(Int64)) AS messages,
      CAST(NULL AS Nullable(Int64)) AS prompts,
      CAST(NULL AS Nullable(Int64)) AS real_times,
      CAST(NULL AS Nullable(DateTime64(6, 'UTC'))) AS last_active_at
    FROM begun AS begun
    UNION ALL
    SELECT
      talked.machine_id AS machine_id,
      talked.project_uri AS project_uri,
      talked.project AS project,
      CAST(NULL AS Nullable(Int64)) AS periods,
      CAST(NULL AS Nullable(Int64)) AS active_ms,
      CAST(NULL AS Nullable(Int64)) AS own_ms,
      CAST(NULL AS Nullable(Int64)) AS sessions,
      talked.conversations AS conversations,
      CAST(NULL AS Nullable(Int64)) AS messages,
      CAST(NULL AS Nullable(Int64)) AS prompts,
      CAST(NULL AS Nullable(Int64)) AS real_times,
      CAST(NULL AS Nullable(DateTime64(6, 'UTC'))) AS last_active_at
    FROM talked AS talked
    UNION ALL
    SELECT
      sent.machine_id AS machine_id,
      sent.project_uri AS project_uri,
      sent.project AS project,
      CAST(NULL AS Nullable(Int64)) AS periods,
      CAST(NULL AS Nullable(Int64)) AS active_ms,
      CAST(NULL AS Nullable(Int64)) AS own_ms,
      CAST(NULL AS Nullable(Int64)) AS sessions,
      CAST(NULL AS Nullable(Int64)) AS conversations,
      sent.messages AS messages,
      sent.prompts AS prompts,
      sent.real_times AS real_times,
      sent.last_active_at AS last_active_at
    FROM sent AS sent
  ) AS _1
  GROUP BY
    _1.machine_id,
    _1.project,
    _1.project_uri
)
SELECT
  p.machine_id AS machine_id,
  p.project AS project,
  p.project_uri AS project_uri,
  p.active_ms AS active_ms,
  CASE WHEN NOT (
    p.active_ms IS NULL
  ) THEN accurateCastOrNull(COALESCE(s.shared_ms, 0), 'Int64') END AS shared_ms,
  accurateCastOrNull(SUM(p.own_ms) OVER (PARTITION BY p.machine_id), 'Int64') AS total_active_ms,
  p.periods AS periods,
  p.sessions AS sessions,
  p.conversations AS conversations,
  p.messages AS messages,
  p.prompts AS prompts,
  p.last_active_at AS last_active_at,
  p.real_times AS real_times
FROM projects AS p
LEFT JOIN shared AS s
  ON s.machine_id = p.machine_id AND s.project_uri IS NOT DISTINCT FROM p.project_uri
SETTINGS join_use_nulls = 1;
