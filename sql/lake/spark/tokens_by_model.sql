-- Made by translate.py from sql/answers/04_tokens_by_model.sql, sha256 03821ddc0c5bf4c6fc3027e09d4061887bfb8d26aef0eb6551f47bf1d80b834f
-- Tokens per day, project and model where recorded, never estimated; with_tokens of messages record them.
CREATE OR REPLACE TEMPORARY VIEW tokens_by_model AS
SELECT
  m.machine_id AS machine_id,
  CAST(m.created_at AS DATE) AS day,
  c.project AS project,
  c.project_uri AS project_uri,
  m.model AS model,
  TRY_CAST(SUM(CASE WHEN NOT m.is_repeat THEN m.input_tokens END) AS BIGINT) AS input_tokens,
  TRY_CAST(SUM(CASE WHEN NOT m.is_repeat THEN m.output_tokens END) AS BIGINT) AS output_tokens,
  COUNT(CASE WHEN NOT m.is_repeat THEN COALESCE(m.input_tokens, m.output_tokens) END) AS with_tokens,
  COUNT(CASE WHEN NOT m.is_repeat THEN 1 END) AS messages,
  COUNT(CASE WHEN m.is_repeat THEN 1 END) AS repeats
FROM messages AS m
JOIN live_conversations AS c
  ON c.machine_id = m.machine_id AND (
    c.source_id = m.source_id AND c.conversation_id = m.conversation_id
  )
WHERE
  m.deleted_at IS NULL AND (
    m.role = 'assistant' OR NOT m.input_tokens IS NULL OR NOT m.output_tokens IS NULL
  )
GROUP BY
  m.machine_id,
  CAST(m.created_at AS DATE),
  c.project,
  c.project_uri,
  m.model;
