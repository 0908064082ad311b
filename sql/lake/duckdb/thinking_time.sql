-- Made by translate.py from sql/answers/20_thinking_time.sql, sha256 aaa710d0b37786dbbe62f0341177422617832e3b7eceb1e081514168324e26f7
-- Thinking time, its share of turn time and failure rates with and without it, per model and mode; durations_known of thinking_messages have a time.
CREATE OR REPLACE TEMP VIEW thinking_time AS
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
    NOT m.thinking_duration_ms IS NULL OR NOT m.thinking IS NULL AS thinks
  FROM live_messages AS m
  WHERE
    m.is_listed AND m.turn > 0
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    m.turn AS turn,
    COUNT(*) AS calls,
    COUNT(t.is_error) AS known,
    COUNT(*) FILTER(WHERE
      t.is_error) AS failed
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
    m.turn
), turns AS (
  SELECT
    answers.machine_id AS machine_id,
    answers.source_id AS source_id,
    answers.conversation_id AS conversation_id,
    answers.turn AS turn,
    ARG_MAX(answers.model, answers.position) FILTER(WHERE
      answers.role = 'assistant') AS model,
    ANY_VALUE(answers.mode) FILTER(WHERE
      answers.role = 'user') AS mode,
    MAX(answers.turn_duration_ms) FILTER(WHERE
      answers.role = 'user') AS turn_ms,
    COUNT(*) FILTER(WHERE
      answers.thinks) AS thoughts,
    COUNT(answers.thinking_duration_ms) AS timed,
    TRY_CAST(SUM(answers.thinking_duration_ms) AS BIGINT) AS thinking_ms
  FROM answers AS answers
  GROUP BY
    answers.machine_id,
    answers.source_id,
    answers.conversation_id,
    answers.turn
), told AS (
  SELECT
    x.machine_id AS machine_id,
    COALESCE(x.model, c.model, '(unknown)') AS model,
    COALESCE(x.mode, c.mode, '(unknown)') AS mode,
    NOT x.model IS NULL AS has_model,
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
    ON t.machine_id = x.machine_id AND (
      t.source_id = x.source_id AND t.conversation_id = x.conversation_id AND t.turn = x.turn
    )
)
SELECT
  told.machine_id AS machine_id,
  told.model AS model,
  told.mode AS mode,
  COUNT(*) AS turns,
  COUNT(*) FILTER(WHERE
    told.has_model) AS model_known,
  COUNT(*) FILTER(WHERE
    told.thoughts > 0) AS turns_with_thinking,
  TRY_CAST(SUM(told.thoughts) AS BIGINT) AS thinking_messages,
  TRY_CAST(SUM(told.timed) AS BIGINT) AS durations_known,
  TRY_CAST(SUM(told.thinking_ms) AS BIGINT) AS thinking_ms,
  TRY_CAST(ROUND(SUM(told.thinking_ms) / NULLIF(SUM(told.timed), 0)) AS BIGINT) AS thinking_ms_each,
  COUNT(*) FILTER(WHERE
    told.measured) AS measured_turns,
  ROUND(SUM(COALESCE(told.thinking_ms, 0)) FILTER(WHERE
    told.measured) / SUM(told.turn_ms) FILTER(WHERE
    told.measured), 4) AS thinking_share,
  TRY_CAST(COALESCE(SUM(told.calls) FILTER(WHERE
    told.thoughts > 0), 0) AS BIGINT) AS calls_with,
  TRY_CAST(COALESCE(SUM(told.known) FILTER(WHERE
    told.thoughts > 0), 0) AS BIGINT) AS outcome_known_with,
  ROUND(SUM(told.failed) FILTER(WHERE
    told.thoughts > 0) / NULLIF(SUM(told.known) FILTER(WHERE
    told.thoughts > 0), 0), 4) AS failure_rate_with,
  TRY_CAST(COALESCE(SUM(told.calls) FILTER(WHERE
    told.thoughts = 0), 0) AS BIGINT) AS calls_without,
  TRY_CAST(COALESCE(SUM(told.known) FILTER(WHERE
    told.thoughts = 0), 0) AS BIGINT) AS outcome_known_without,
  ROUND(SUM(told.failed) FILTER(WHERE
    told.thoughts = 0) / NULLIF(SUM(told.known) FILTER(WHERE
    told.thoughts = 0), 0), 4) AS failure_rate_without
FROM told AS told
GROUP BY
  told.machine_id,
  told.model,
  told.mode;
