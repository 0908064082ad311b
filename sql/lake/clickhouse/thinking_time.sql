-- Made by translate.py from sql/answers/20_thinking_time.sql, sha256 0fe1c10cda0f2e96b28a14327df9246972dcb0cadc199d34b798d64f2d420a07
-- Thinking time, its share of turn time and failure rates with and without it, per model and mode; durations_known of thinking_messages have a time.
CREATE OR REPLACE VIEW thinking_time AS
WITH answers AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    m.turn AS turn,
    CASE WHEN m.is_simulated THEN 'unknown' ELSE m.role END AS role,
    m.position AS position,
    m.model AS model,
    m.mode AS mode,
    m.turn_duration_ms AS turn_duration_ms,
    m.thinking_duration_ms AS thinking_duration_ms,
    NOT (
      m.thinking_duration_ms IS NULL
    ) OR NOT (
      m.thinking IS NULL
    ) AS thinks,
    m.is_repeat AS is_repeat
  FROM live_messages AS m
  WHERE
    m.is_listed AND m.turn > 0
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    m.turn AS turn,
    m.is_repeat AS is_repeat,
    CAST(COUNT(*) AS Nullable(Int64)) AS calls,
    CAST(COUNT(t.is_error) AS Nullable(Int64)) AS known,
    CAST(COUNT(CASE WHEN t.is_error THEN 1 END) AS Nullable(Int64)) AS failed
  FROM live_tool_calls AS t
  JOIN messages AS m
    ON m.machine_id = t.machine_id AND (
      m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
    )
  WHERE
    m.is_listed AND m.turn > 0 AND m.deleted_at IS NULL
  GROUP BY
    t.machine_id,
    t.source_id,
    t.conversation_id,
    m.turn,
    m.is_repeat
), turns AS (
  SELECT
    answers.machine_id AS machine_id,
    answers.source_id AS source_id,
    answers.conversation_id AS conversation_id,
    answers.turn AS turn,
    answers.is_repeat AS is_repeat,
    argMaxIf(answers.model, answers.position, answers.role = 'assistant') AS model,
    any(CASE WHEN answers.role = 'user' THEN answers.mode END) AS mode,
    MAX(CASE WHEN answers.role = 'user' THEN answers.turn_duration_ms END) AS turn_ms,
    CAST(COUNT(CASE WHEN answers.thinks THEN 1 END) AS Nullable(Int64)) AS thoughts,
    CAST(COUNT(answers.thinking_duration_ms) AS Nullable(Int64)) AS timed,
    accurateCastOrNull(SUM(answers.thinking_duration_ms), 'Int64') AS thinking_ms
  FROM answers AS answers
  GROUP BY
    answers.machine_id,
    answers.source_id,
    answers.conversation_id,
    answers.turn,
    answers.is_repeat
), told AS (
  SELECT
    x.machine_id AS machine_id,
    COALESCE(x.model, c.model, '(unknown)') AS model,
    COALESCE(x.mode, c.mode, '(unknown)') AS mode,
    NOT (
      x.model IS NULL
    ) AS has_model,
    x.is_repeat AS is_repeat,
    x.turn_ms AS turn_ms,
    x.thoughts AS thoughts,
    x.timed AS timed,
    x.thinking_ms AS thinking_ms,
    t.calls AS calls,
    t.known AS known,
    t.failed AS failed,
    x.turn_ms > 0 AND x.timed = x.thoughts AS measured
  FROM turns AS x
  JOIN live_conversations AS c
    ON c.machine_id = x.machine_id AND (
      c.source_id = x.source_id AND c.conversation_id = x.conversation_id
    )
  LEFT JOIN calls AS t
    ON t.machine_id = x.machine_id
    AND (
      t.source_id = x.source_id AND t.conversation_id = x.conversation_id AND t.turn = x.turn AND t.is_repeat = x.is_repeat
    )
), repeated AS (
  SELECT
    told.machine_id AS machine_id,
    told.model AS model,
    told.mode AS mode,
    CAST(COUNT(*) AS Nullable(Int64)) AS repeats
  FROM told AS told
  WHERE
    told.is_repeat
  GROUP BY
    told.machine_id,
    told.model,
    told.mode
), figures AS (
  SELECT
    told.machine_id AS machine_id,
    told.model AS model,
    told.mode AS mode,
    CAST(COUNT(*) AS Nullable(Int64)) AS turns,
    CAST(COUNT(CASE WHEN told.has_model THEN 1 END) AS Nullable(Int64)) AS model_known,
    CAST(COUNT(CASE WHEN told.thoughts > 0 THEN 1 END) AS Nullable(Int64)) AS turns_with_thinking,
    accurateCastOrNull(SUM(told.thoughts), 'Int64') AS thinking_messages,
    accurateCastOrNull(SUM(told.timed), 'Int64') AS durations_known,
    accurateCastOrNull(SUM(told.thinking_ms), 'Int64') AS thinking_ms,
    accurateCastOrNull(
      trunc((
        SUM(told.thinking_ms) / nullIf(SUM(told.timed), 0)
      ) + 0.5 * sign((
        SUM(told.thinking_ms) / nullIf(SUM(told.timed), 0)
      ))),
      'Int64'
    ) AS thinking_ms_each,
    CAST(COUNT(CASE WHEN told.measured THEN 1 END) AS Nullable(Int64)) AS measured_turns,
    trunc(
      (
        SUM(CASE WHEN told.measured THEN COALESCE(told.thinking_ms, 0) END) / SUM(CASE WHEN told.measured THEN told.turn_ms END)
      ) * 10000 + 0.5 * sign((
        SUM(CASE WHEN told.measured THEN COALESCE(told.thinking_ms, 0) END) / SUM(CASE WHEN told.measured THEN told.turn_ms END)
      ))
    ) / 10000 AS thinking_share,
    accurateCastOrNull(COALESCE(SUM(CASE WHEN told.thoughts > 0 THEN told.calls END), 0), 'Int64') AS calls_with,
    accurateCastOrNull(COALESCE(SUM(CASE WHEN told.thoughts > 0 THEN told.known END), 0), 'Int64') AS outcome_known_with,
    trunc(
      (
        SUM(CASE WHEN told.thoughts > 0 THEN told.failed END) / nullIf(SUM(CASE WHEN told.thoughts > 0 THEN told.known END), 0)
      ) * 10000 + 0.5 * sign((
        SUM(CASE WHEN told.thoughts > 0 THEN told.failed END) / nullIf(SUM(CASE WHEN told.thoughts > 0 THEN told.known END), 0)
      ))
    ) / 10000 AS failure_rate_with,
    accurateCastOrNull(COALESCE(SUM(CASE WHEN told.thoughts = 0 THEN told.calls END), 0), 'Int64') AS calls_without,
    accurateCastOrNull(COALESCE(SUM(CASE WHEN told.thoughts = 0 THEN told.known END), 0), 'Int64') AS outcome_known_without,
    trunc(
      (
        SUM(CASE WHEN told.thoughts = 0 THEN told.failed END) / nullIf(SUM(CASE WHEN told.thoughts = 0 THEN told.known END), 0)
      ) * 10000 + 0.5 * sign((
        SUM(CASE WHEN told.thoughts = 0 THEN told.failed END) / nullIf(SUM(CASE WHEN told.thoughts = 0 THEN told.known END), 0)
      ))
    ) / 10000 AS failure_rate_without
  FROM told AS told
  WHERE
    NOT told.is_repeat
  GROUP BY
    told.machine_id,
    told.model,
    told.mode
)
SELECT
  f.machine_id AS machine_id,
  f.model AS model,
  f.mode AS mode,
  f.turns AS turns,
  f.model_known AS model_known,
  f.turns_with_thinking AS turns_with_thinking,
  f.thinking_messages AS thinking_messages,
  f.durations_known AS durations_known,
  f.thinking_ms AS thinking_ms,
  f.thinking_ms_each AS thinking_ms_each,
  f.measured_turns AS measured_turns,
  f.thinking_share AS thinking_share,
  f.calls_with AS calls_with,
  f.outcome_known_with AS outcome_known_with,
  f.failure_rate_with AS failure_rate_with,
  f.calls_without AS calls_without,
  f.outcome_known_without AS outcome_known_without,
  f.failure_rate_without AS failure_rate_without,
  COALESCE(r.repeats, 0) AS repeats
FROM figures AS f
LEFT JOIN repeated AS r
  ON r.machine_id = f.machine_id AND (
    r.model = f.model AND r.mode = f.mode
  )
SETTINGS join_use_nulls = 1;
