-- Made by translate.py from sql/views/02_live_messages.sql, sha256 7d86946db90a39624816712c1eb6592ce73685c2c1eb57b7c39abb2f47f92361
-- Messages that Cursor has now: without deleted ones and those of deleted or orphaned conversations, and of copies.
CREATE OR REPLACE VIEW live_messages AS
SELECT
  m.machine_id AS machine_id,
  m.source_id AS source_id,
  m.conversation_id AS conversation_id,
  m.message_id AS message_id,
  m.position AS position,
  m.is_listed AS is_listed,
  m.turn AS turn,
  m.role AS role,
  m.kind AS kind,
  m.text AS text,
  m.thinking AS thinking,
  m.thinking_duration_ms AS thinking_duration_ms,
  m.turn_duration_ms AS turn_duration_ms,
  m.model AS model,
  m.mode AS mode,
  m.request_id AS request_id,
  m.is_repeat AS is_repeat,
  m.usage_id AS usage_id,
  m.context_session_id AS context_session_id,
  m.created_at AS created_at,
  m.created_at_source AS created_at_source,
  m.origin AS origin,
  m.is_simulated AS is_simulated,
  m.input_tokens AS input_tokens,
  m.output_tokens AS output_tokens,
  m.cache_read_tokens AS cache_read_tokens,
  m.cache_write_tokens AS cache_write_tokens,
  m.context_tokens_used AS context_tokens_used,
  m.is_agentic AS is_agentic,
  m.error_code AS error_code,
  m.error AS error,
  m.summary AS summary,
  m.checkpoint_id AS checkpoint_id,
  m.extra AS extra,
  m.deleted_at AS deleted_at
FROM messages AS m
SEMI JOIN live_conversations AS c
  ON c.machine_id = m.machine_id AND (
    c.source_id = m.source_id AND c.conversation_id = m.conversation_id
  )
WHERE
  m.deleted_at IS NULL
SETTINGS join_use_nulls = 1;
