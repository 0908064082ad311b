-- Made by translate.py from sql/answers/02_active_time_per_day.sql, sha256 9243815b7b2366527bdae6415fdfbe49fd581f52607a3bb2901a026310998d20
-- Active time per day and project, cut at midnight; real_times of messages record their own time, and only these count.
CREATE OR REPLACE TEMP VIEW active_time_per_day AS
WITH touched AS (
  SELECT
    live_activity_periods.machine_id AS machine_id,
    live_activity_periods.project_uri AS project_uri,
    live_activity_periods.project AS project,
    EPOCH_MS(live_activity_periods.started_at) AS started_ms,
    EPOCH_MS(live_activity_periods.ended_at) AS ended_ms,
    CAST(UNNEST(RANGE(CAST(live_activity_periods.started_at AS DATE), CAST(live_activity_periods.ended_at AS DATE) + 1, INTERVAL '1' DAY)) AS DATE) AS day
  FROM live_activity_periods AS live_activity_periods
  WHERE
    live_activity_periods.started_at >= '2015-01-01 00:00:00+00' AND live_activity_periods.ended_at < '2100-01-01 00:00:00+00'
), pieces AS (
  SELECT
    touched.machine_id AS machine_id,
    touched.day AS day,
    touched.project_uri AS project_uri,
    touched.project AS project,
    GREATEST(touched.started_ms, EPOCH_MS(CAST(touched.day AS TIMESTAMPTZ))) AS from_ms,
    LEAST(touched.ended_ms, EPOCH_MS(CAST(touched.day + 1 AS TIMESTAMPTZ))) AS to_ms
  FROM touched AS touched
), reached AS (
  SELECT
    pieces.machine_id AS machine_id,
    pieces.day AS day,
    pieces.project_uri AS project_uri,
    pieces.project AS project,
    pieces.from_ms AS from_ms,
    pieces.to_ms AS to_ms,
    MAX(pieces.to_ms) OVER (
      PARTITION BY pieces.machine_id, pieces.day, pieces.project_uri
      ORDER BY pieces.from_ms, pieces.to_ms
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) AS project_ms,
    MAX(pieces.to_ms) OVER (PARTITION BY pieces.machine_id, pieces.day ORDER BY pieces.from_ms, pieces.to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS day_ms
  FROM pieces AS pieces
), active AS (
  SELECT
    reached.machine_id AS machine_id,
    reached.day AS day,
    reached.project_uri AS project_uri,
    reached.project AS project,
    COUNT(*) AS periods,
    SUM(GREATEST(reached.to_ms - GREATEST(reached.from_ms, reached.project_ms), 0)) AS active_ms,
    SUM(GREATEST(reached.to_ms - GREATEST(reached.from_ms, reached.day_ms), 0)) AS own_ms
  FROM reached AS reached
  GROUP BY
    reached.machine_id,
    reached.day,
    reached.project_uri,
    reached.project
), sent AS (
  SELECT
    m.machine_id AS machine_id,
    CAST(m.created_at AS DATE) AS day,
    c.project_uri AS project_uri,
    c.project AS project,
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
    CAST(m.created_at AS DATE),
    c.project_uri,
    c.project
), days AS (
  SELECT
    _0.machine_id AS machine_id,
    _0.day AS day,
    _0.project AS project,
    _0.project_uri AS project_uri,
    TRY_CAST(SUM(_0.active_ms) AS BIGINT) AS active_ms,
    TRY_CAST(COALESCE(SUM(_0.periods), 0) AS BIGINT) AS periods,
    TRY_CAST(COALESCE(SUM(_0.messages), 0) AS BIGINT) AS messages,
    TRY_CAST(COALESCE(SUM(_0.prompts), 0) AS BIGINT) AS prompts,
    TRY_CAST(COALESCE(SUM(_0.real_times), 0) AS BIGINT) AS real_times,
    TRY_CAST(COALESCE(SUM(_0.repeats), 0) AS BIGINT) AS repeats,
    SUM(_0.own_ms) AS own_ms
  FROM (
    SELECT
      active.machine_id AS machine_id,
      active.day AS day,
      active.project_uri AS project_uri,
      active.project AS project,
      active.periods AS periods,
      active.active_ms AS active_ms,
      active.own_ms AS own_ms,
      CAST(NULL AS BIGINT) AS messages,
      CAST(NULL AS BIGINT) AS prompts,
      CAST(NULL AS BIGINT) AS repeats,
      CAST(NULL AS BIGINT) AS real_times
    FROM active AS active
    UNION ALL
    SELECT
      sent.machine_id AS machine_id,
      sent.day AS day,
      sent.project_uri AS project_uri,
      sent.project AS project,
      CAST(NULL AS BIGINT) AS periods,
      CAST(NULL AS BIGINT) AS active_ms,
      CAST(NULL AS BIGINT) AS own_ms,
      sent.messages AS messages,
      sent.prompts AS prompts,
      sent.repeats AS repeats,
      sent.real_times AS real_times
    FROM sent AS sent
  ) AS _0
  GROUP BY
    _0.machine_id,
    _0.day,
    _0.project,
    _0.project_uri
)
SELECT
  days.machine_id AS machine_id,
  days.day AS day,
  days.project AS project,
  days.project_uri AS project_uri,
  days.active_ms AS active_ms,
  days.periods AS periods,
  days.messages AS messages,
  days.prompts AS prompts,
  days.real_times AS real_times,
  TRY_CAST(SUM(days.own_ms) OVER (PARTITION BY days.machine_id, days.day) AS BIGINT) AS day_active_ms,
  days.repeats AS repeats
FROM days AS days;
