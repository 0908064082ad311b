-- Made by translate.py from sql/answers/18_abandoned_work.sql, sha256 fd29650258ebe5523655aa414f54e719b032ccbc3d1a93c3a8e5dc5f8a3346b1
-- Conversations that ended without an answer, with the reason; missing_messages may hold the answer.
CREATE OR REPLACE TEMP VIEW abandoned_work AS
WITH shown AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    m.message_id AS message_id,
    m.position AS position,
    m.role AS role,
    m.kind AS kind
  FROM messages AS m
  JOIN live_conversations AS c
    ON c.machine_id = m.machine_id AND (
      c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    )
  WHERE
    m.deleted_at IS NULL AND (
      m.is_listed OR c.header_count = 0
    )
), ends AS (
  SELECT
    shown.machine_id AS machine_id,
    shown.source_id AS source_id,
    shown.conversation_id AS conversation_id,
    MAX(shown.position) AS position
  FROM shown AS shown
  GROUP BY
    shown.machine_id,
    shown.source_id,
    shown.conversation_id
), last_messages AS (
  SELECT
    s.machine_id AS machine_id,
    s.source_id AS source_id,
    s.conversation_id AS conversation_id,
    s.message_id AS message_id,
    s.position AS position,
    s.role AS role,
    s.kind AS kind
  FROM shown AS s
  JOIN ends AS e
    ON e.machine_id = s.machine_id AND (
      e.source_id = s.source_id AND e.conversation_id = s.conversation_id AND e.position = s.position
    )
), last_calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.tool AS tool,
    t.status AS status,
    t.user_decision AS user_decision,
    t.is_error AS is_error,
    LEFT(t.error, 200) AS error
  FROM tool_calls AS t
  JOIN last_messages AS l
    ON l.machine_id = t.machine_id AND (
      l.source_id = t.source_id AND l.conversation_id = t.conversation_id AND l.message_id = t.message_id
    )
  WHERE
    t.deleted_at IS NULL
  QUALIFY
    ROW_NUMBER() OVER (PARTITION BY t.machine_id, t.source_id, t.conversation_id ORDER BY t.call_index DESC) = 1
), edit_lines AS (
  SELECT
    live_tool_calls.machine_id AS machine_id,
    live_tool_calls.source_id AS source_id,
    live_tool_calls.conversation_id AS conversation_id,
    COUNT(*) FILTER(WHERE
      NOT live_tool_calls.is_repeat) AS edit_calls,
    COUNT(live_tool_calls.lines_added) FILTER(WHERE
      NOT live_tool_calls.is_repeat) AS call_lines_known,
    TRY_CAST(SUM(live_tool_calls.lines_added) FILTER(WHERE
      NOT live_tool_calls.is_repeat) AS BIGINT) AS lines_added,
    TRY_CAST(SUM(live_tool_calls.lines_removed) FILTER(WHERE
      NOT live_tool_calls.is_repeat) AS BIGINT) AS lines_removed,
    COUNT(*) FILTER(WHERE
      live_tool_calls.is_repeat) AS repeats
  FROM live_tool_calls AS live_tool_calls
  WHERE
    live_tool_calls.tool_kind = 'edit'
  GROUP BY
    live_tool_calls.machine_id,
    live_tool_calls.source_id,
    live_tool_calls.conversation_id
), reasons AS (
  SELECT
    l.machine_id AS machine_id,
    l.source_id AS source_id,
    l.conversation_id AS conversation_id,
    l.message_id AS message_id,
    t.tool AS tool,
    t.error AS error,
    CASE
      WHEN l.role = 'user'
      THEN 'unanswered'
      WHEN l.kind = 'error'
      THEN 'error'
      WHEN t.status IN ('loading', 'pending', 'generating')
      THEN 'tool_running'
      WHEN t.status IN ('cancelled', 'aborted')
      THEN 'tool_cancelled'
      WHEN t.user_decision = 'rejected'
      THEN 'tool_rejected'
      WHEN t.is_error
      THEN 'tool_failed'
      WHEN c.status = 'aborted'
      THEN 'aborted'
    END AS reason
  FROM last_messages AS l
  JOIN live_conversations AS c
    ON c.machine_id = l.machine_id AND (
      c.source_id = l.source_id AND c.conversation_id = l.conversation_id
    )
  LEFT JOIN last_calls AS t
    ON t.machine_id = l.machine_id AND (
      t.source_id = l.source_id AND t.conversation_id = l.conversation_id
    )
)
SELECT
  r.machine_id AS machine_id,
  r.source_id AS source_id,
  c.project_uri AS project_uri,
  c.project AS project,
  r.conversation_id AS conversation_id,
  c.display_title AS title,
  c.is_subagent AS is_subagent,
  r.reason AS reason,
  c.status AS status,
  c.last_activity_at AS idle_since,
  c.user_message_count AS prompts,
  c.message_count AS messages,
  c.missing_message_count AS missing_messages,
  c.tool_call_count AS tool_calls,
  COALESCE(k.edit_calls, 0) AS edit_calls,
  COALESCE(k.call_lines_known, 0) AS call_lines_known,
  COALESCE(c.lines_added, k.lines_added) AS lines_added,
  COALESCE(c.lines_removed, k.lines_removed) AS lines_removed,
  r.message_id AS last_message_id,
  r.tool AS last_tool,
  COALESCE(k.repeats, 0) AS repeats
FROM reasons AS r
JOIN live_conversations AS c
  ON c.machine_id = r.machine_id AND (
    c.source_id = r.source_id AND c.conversation_id = r.conversation_id
  )
LEFT JOIN edit_lines AS k
  ON k.machine_id = r.machine_id AND (
    k.source_id = r.source_id AND k.conversation_id = r.conversation_id
  )
WHERE
  NOT r.reason IS NULL;
