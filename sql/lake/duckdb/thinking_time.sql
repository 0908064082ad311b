-- Made by translate.py from sql/answers/20_thinking_time.sql, sha256 0fe1c10cda0f2e96b28a14327df9246972dcb0cadc199d34b798d64f2d420a07
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
    NOT m.thinking_duration_ms IS NULL OR NOT m.thinking IS NULL AS thinks,
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
    m.turn,
    m.is_repeat
), turns AS (
  SELECT
    answers.machine_id AS machine_id,
    answers.source_id AS source_id,
    answers.conversation_id AS conversation_id,
    answers.turn AS turn,
    answers.is_repeat AS is_repeat,
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
    answers.turn,
    answers.is_repeat
), told AS (
  SELECT
    x.machine_id AS machine_id,
    COALESCE(x.model, c.model, '(unknown)') AS model,
    COALESCE(x.mode, c.mode, '(unknown)') AS mode,
    NOT x.model IS NULL AS has_model,
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
    COUNT(*) AS repeats
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
  );
