-- Made by translate.py from sql/views/04_timeline.sql, sha256 f72325649b02af339193cc8cddfc980afb36ee9bae9b0645dc73cd3436662702
-- One row per live message with its project, title, session and (first) tool call; no join needed.
CREATE OR REPLACE TEMP VIEW timeline AS
SELECT
  m.machine_id AS machine_id,
  m.source_id AS source_id,
  c.project AS project,
  c.display_title AS title,
  m.conversation_id AS conversation_id,
  c.session_id AS session_id,
  m.position AS position,
  m.created_at AS created_at,
  m.role AS role,
  m.kind AS kind,
  m.text AS text,
  m.thinking AS thinking,
  t.tool AS tool,
  t.tool_kind AS tool_kind,
  t.command AS command,
  t.file_path AS file_path,
  t.is_error AS is_error,
  m.message_id AS message_id,
  m.turn AS turn,
  m.model AS model,
  m.input_tokens AS input_tokens,
  m.output_tokens AS output_tokens,
  m.turn_duration_ms AS turn_duration_ms,
  m.thinking_duration_ms AS thinking_duration_ms,
  t.duration_ms AS duration_ms,
  t.exit_code AS exit_code,
  t.mcp_server AS mcp_server,
  t.mcp_tool AS mcp_tool,
  m.is_repeat AS is_repeat
FROM messages AS m
JOIN live_conversations AS c
  ON c.machine_id = m.machine_id AND (
    c.source_id = m.source_id AND c.conversation_id = m.conversation_id
  )
LEFT JOIN tool_calls AS t
  ON t.machine_id = m.machine_id
  AND (
    t.source_id = m.source_id
    AND t.conversation_id = m.conversation_id
    AND t.message_id = m.message_id
    AND t.call_index = 0
    AND t.deleted_at IS NULL
  )
WHERE
  m.deleted_at IS NULL;
