-- Made by translate.py from sql/answers/17_reprompt_loops.sql, sha256 61e6a44f7e46af72b8845b4db0ed2f6830abb4b4c8f2bf7f6acc6da9b21afad0
-- Runs of 3 or more similar prompts in a row; times_known of prompts have a real time.
CREATE OR REPLACE VIEW reprompt_loops AS
WITH prompts AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    m.message_id AS message_id,
    m.position AS position,
    leftUTF8(m.text, 500) AS head,
    arrayDistinct(splitByChar(' ', ifNull(translate(lowerUTF8(leftUTF8(m.text, 500)), '.,;:!?()[]{}<>"''`*#/\\|=+-\n\r\t', REPEAT(' ', 28)) || ' ', ''))) AS words,
    CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN m.created_at END AS prompt_at
  FROM messages AS m
  JOIN live_conversations AS c
    ON c.machine_id = m.machine_id AND (
      c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    )
  WHERE
    m.role = 'user'
    AND NOT (
      m.is_simulated IS TRUE
    )
    AND m.kind = 'text'
    AND m.deleted_at IS NULL
    AND NOT m.is_repeat
    AND (
      m.is_listed OR c.header_count = 0
    )
), before AS (
  SELECT
    prompts.machine_id AS machine_id,
    prompts.source_id AS source_id,
    prompts.conversation_id AS conversation_id,
    prompts.message_id AS message_id,
    prompts.position AS position,
    prompts.head AS head,
    prompts.words AS words,
    prompts.prompt_at AS prompt_at,
    lag(prompts.words) OVER (PARTITION BY prompts.machine_id, prompts.source_id, prompts.conversation_id ORDER BY prompts.position) AS words_before,
    lag(prompts.head) OVER (PARTITION BY prompts.machine_id, prompts.source_id, prompts.conversation_id ORDER BY prompts.position) AS head_before
  FROM prompts AS prompts
), compared AS (
  SELECT
    before.machine_id AS machine_id,
    before.source_id AS source_id,
    before.conversation_id AS conversation_id,
    before.message_id AS message_id,
    before.position AS position,
    before.head AS head,
    before.prompt_at AS prompt_at,
    CASE
      WHEN before.head_before IS NULL
      THEN NULL
      WHEN length(before.words) = 1 AND length(before.words_before) = 1
      THEN accurateCastOrNull(before.head = before.head_before, 'Int32')
      WHEN LEAST(length(before.words), length(before.words_before)) - 1 < 0.6 * (
        GREATEST(length(before.words), length(before.words_before)) - 1
      )
      THEN 0
      ELSE (
        length(arrayIntersect(before.words, before.words_before)) - 1
      ) / (
        length(before.words) + length(before.words_before) - length(arrayIntersect(before.words, before.words_before)) - 1
      )
    END AS similarity
  FROM before AS before
), numbered AS (
  SELECT
    compared.machine_id AS machine_id,
    compared.source_id AS source_id,
    compared.conversation_id AS conversation_id,
    compared.message_id AS message_id,
    compared.position AS position,
    compared.head AS head,
    compared.prompt_at AS prompt_at,
    compared.similarity AS similarity,
    CAST(COUNT(CASE WHEN compared.similarity IS NULL OR compared.similarity < 0.6 THEN 1 END) OVER (
      PARTITION BY compared.machine_id, compared.source_id, compared.conversation_id
      ORDER BY compared.position
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS Nullable(Int64)) AS run_no
  FROM compared AS compared
), runs AS (
  SELECT
    numbered.machine_id AS machine_id,
    numbered.source_id AS source_id,
    numbered.conversation_id AS conversation_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS prompts,
    trunc(
      (
        MIN(CASE WHEN numbered.similarity >= 0.6 THEN numbered.similarity END)
      ) * 10000 + 0.5 * sign((
        MIN(CASE WHEN numbered.similarity >= 0.6 THEN numbered.similarity END)
      ))
    ) / 10000 AS least_similarity,
    MIN(numbered.position) AS first_position,
    MAX(numbered.position) AS last_position,
    argMin(numbered.message_id, numbered.position) AS first_message_id,
    CAST(COUNT(numbered.prompt_at) AS Nullable(Int64)) AS times_known,
    MIN(numbered.prompt_at) AS started_at,
    toUnixTimestamp64Milli(tupleElement(argMax(tuple(numbered.prompt_at), numbered.position), 1)) - toUnixTimestamp64Milli(tupleElement(argMin(tuple(numbered.prompt_at), numbered.position), 1)) AS span_ms,
    argMin(leftUTF8(numbered.head, 200), numbered.position) AS first_prompt,
    argMax(leftUTF8(numbered.head, 200), numbered.position) AS last_prompt
  FROM numbered AS numbered
  GROUP BY
    numbered.machine_id,
    numbered.source_id,
    numbered.conversation_id,
    numbered.run_no
  HAVING
    CAST(COUNT(*) AS Nullable(Int64)) >= 3
), tried AS (
  SELECT
    r.machine_id AS machine_id,
    r.source_id AS source_id,
    r.conversation_id AS conversation_id,
    r.first_position AS first_position,
    CAST(COUNT(*) AS Nullable(Int64)) AS tool_calls,
    CAST(COUNT(t.is_error) AS Nullable(Int64)) AS outcome_known,
    CAST(COUNT(CASE WHEN t.is_error THEN 1 END) AS Nullable(Int64)) AS failed_calls
  FROM runs AS r
  JOIN live_tool_calls AS t
    ON t.machine_id = r.machine_id
    AND (
      t.source_id = r.source_id AND t.conversation_id = r.conversation_id AND t.position BETWEEN r.first_position AND r.last_position
    )
  GROUP BY
    r.machine_id,
    r.source_id,
    r.conversation_id,
    r.first_position
)
SELECT
  r.machine_id AS machine_id,
  r.source_id AS source_id,
  c.project_uri AS project_uri,
  c.project AS project,
  r.conversation_id AS conversation_id,
  c.display_title AS title,
  r.first_message_id AS first_message_id,
  r.first_position AS first_position,
  r.last_position AS last_position,
  r.prompts AS prompts,
  r.least_similarity AS least_similarity,
  r.times_known AS times_known,
  r.started_at AS started_at,
  CASE WHEN r.span_ms >= 0 THEN r.span_ms END AS duration_ms,
  COALESCE(t.tool_calls, 0) AS tool_calls,
  COALESCE(t.outcome_known, 0) AS outcome_known,
  COALESCE(t.failed_calls, 0) AS failed_calls,
  r.first_prompt AS first_prompt,
  r.last_prompt AS last_prompt
FROM runs AS r
JOIN live_conversations AS c
  ON c.machine_id = r.machine_id AND (
    c.source_id = r.source_id AND c.conversation_id = r.conversation_id
  )
LEFT JOIN tried AS t
  ON t.machine_id = r.machine_id
  AND (
    t.source_id = r.source_id AND t.conversation_id = r.conversation_id AND t.first_position = r.first_position
  )
SETTINGS join_use_nulls = 1;
