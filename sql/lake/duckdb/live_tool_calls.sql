-- Made by translate.py from sql/views/03_live_tool_calls.sql, sha256 77f48ed53191f19ac777c4239aa0d52d8194ed4b5444705aec76e8b80a2af20d
-- Tool calls that Cursor has now, with time, turn and model of their message, and project and title of their conversation: without deleted ones and those of deleted or orphaned conversations, and of copies.
CREATE OR REPLACE TEMP VIEW live_tool_calls AS
SELECT
  t.machine_id AS machine_id,
  t.source_id AS source_id,
  t.conversation_id AS conversation_id,
  t.message_id AS message_id,
  t.call_index AS call_index,
  t.tool_call_id AS tool_call_id,
  t.position AS position,
  t.tool_number AS tool_number,
  t.tool AS tool,
  t.tool_kind AS tool_kind,
  t.name AS name,
  t.mcp_server AS mcp_server,
  t.mcp_tool AS mcp_tool,
  t.mcp_server_source AS mcp_server_source,
  t.status AS status,
  t.user_decision AS user_decision,
  t.outcome AS outcome,
  t.is_error AS is_error,
  t.exit_code AS exit_code,
  t.params AS params,
  t.raw_args AS raw_args,
  t.result AS result,
  t.result_origin AS result_origin,
  t.additional_data AS additional_data,
  t.subagent_id AS subagent_id,
  t.error AS error,
  t.started_at AS started_at,
  t.duration_ms AS duration_ms,
  t.file_path AS file_path,
  t.command AS command,
  t.lines_added AS lines_added,
  t.lines_removed AS lines_removed,
  t.result_bytes AS result_bytes,
  t.deleted_at AS deleted_at,
  m.created_at AS created_at,
  m.turn AS turn,
  m.model AS model,
  c.project AS project,
  c.project_uri AS project_uri,
  c.display_title AS title,
  COALESCE(m.is_repeat, FALSE) AS is_repeat
FROM tool_calls AS t
JOIN live_conversations AS c
  ON c.machine_id = t.machine_id AND (
    c.source_id = t.source_id AND c.conversation_id = t.conversation_id
  )
LEFT JOIN messages AS m
  ON m.machine_id = t.machine_id AND (
    m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
  )
WHERE
  t.deleted_at IS NULL;
