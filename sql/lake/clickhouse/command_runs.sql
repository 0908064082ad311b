-- Made by translate.py from sql/answers/11_command_runs.sql, sha256 7f8128622c68b7db23ed4a18214b175a9a58ec7f6013ec65ac6d37ce826f4da0
-- Every shell command with its program, exit code and outcome; NULL is what is not recorded.
CREATE OR REPLACE VIEW command_runs AS
WITH known AS (
  SELECT
    live_tool_calls.machine_id AS machine_id,
    live_tool_calls.source_id AS source_id,
    live_tool_calls.conversation_id AS conversation_id,
    live_tool_calls.message_id AS message_id,
    live_tool_calls.call_index AS call_index,
    live_tool_calls.position AS position,
    live_tool_calls.command AS command,
    live_tool_calls.is_error AS is_error,
    live_tool_calls.exit_code AS exit_code,
    live_tool_calls.error AS error,
    live_tool_calls.duration_ms AS duration_ms,
    REGEXP_EXTRACT(
      live_tool_calls.command,
      '^(?:[\\s({]+|#[^\\n]*\\n|cd(?:[ \\t]+(?:"[^"]*"|''[^'']*''|[^\\s;&|]+))?\\s*(?:&&|;|\\n)' || '|[A-Za-z_]\\w*=(?:"[^"]*"|''[^'']*''|[^\\s;&|]*)\\s+|(?:sudo|env|time|nohup|exec|command)\\s+(?:-[ugpC]\\s+\\S+\\s+|-\\S+\\s+)*)*' || '("[^"]+"|''[^'']+''|[^\\s;&|<>(){}"'']+)',
      1
    ) AS word,
    CASE live_tool_calls.user_decision WHEN 'rejected' THEN TRUE WHEN 'accepted' THEN FALSE END AS is_rejected
  FROM live_tool_calls AS live_tool_calls
  WHERE
    live_tool_calls.tool_kind = 'shell' AND live_tool_calls.tool IS DISTINCT FROM 'write_shell_stdin' AND NOT live_tool_calls.is_repeat
), repeated AS (
  SELECT
    _machines.machine_id AS machine_id,
    CAST(COUNT(_rows._is_row) AS Nullable(Int64)) AS repeats
  FROM _machines
  LEFT JOIN (
    SELECT
      live_tool_calls.machine_id AS machine_id,
      1 AS _is_row
    FROM live_tool_calls AS live_tool_calls
    WHERE
      live_tool_calls.tool_kind = 'shell' AND live_tool_calls.tool IS DISTINCT FROM 'write_shell_stdin' AND live_tool_calls.is_repeat
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
)
SELECT
  k.machine_id AS machine_id,
  k.source_id AS source_id,
  c.project_uri AS project_uri,
  c.project AS project,
  k.conversation_id AS conversation_id,
  c.display_title AS title,
  k.message_id AS message_id,
  k.call_index AS call_index,
  k.position AS position,
  m.created_at AS created_at,
  m.created_at_source AS created_at_source,
  nullIf(REGEXP_REPLACE(REGEXP_REPLACE(TRIM(BOTH '"''' FROM k.word), '^.*[/\\\\]', ''), '(?i)\\.exe$', ''), '') AS program,
  k.command AS command,
  k.is_rejected AS is_rejected,
  k.is_error AS is_failed,
  k.exit_code AS exit_code,
  k.error AS error,
  k.duration_ms AS duration_ms,
  r.repeats AS repeats
FROM known AS k
JOIN repeated AS r
  ON r.machine_id = k.machine_id
JOIN live_conversations AS c
  ON c.machine_id = k.machine_id AND (
    c.source_id = k.source_id AND c.conversation_id = k.conversation_id
  )
LEFT JOIN messages AS m
  ON m.machine_id = k.machine_id AND (
    m.source_id = k.source_id AND m.conversation_id = k.conversation_id AND m.message_id = k.message_id
  )
SETTINGS join_use_nulls = 1;
