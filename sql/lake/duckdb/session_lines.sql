-- Made by translate.py from sql/answers/15_session_lines.sql, sha256 c6419a0471a7b5428b2c25af3a0da5e2ef42e9cbdb5db439edd9f809cc296fef
-- Lines added and removed per session; totals_known of conversations and call_lines_known of edit_calls record them.
CREATE OR REPLACE TEMP VIEW session_lines AS
WITH totals AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.session_id AS session_id,
    COUNT(*) AS conversations,
    COUNT(live_conversations.lines_added) AS totals_known,
    TRY_CAST(SUM(live_conversations.lines_added) AS BIGINT) AS lines_added,
    TRY_CAST(SUM(live_conversations.lines_removed) AS BIGINT) AS lines_removed
  FROM live_conversations AS live_conversations
  WHERE
    NOT live_conversations.session_id IS NULL
  GROUP BY
    live_conversations.machine_id,
    live_conversations.session_id
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    c.session_id AS session_id,
    COUNT(*) FILTER(WHERE
      NOT t.is_repeat) AS edit_calls,
    COUNT(t.lines_added) FILTER(WHERE
      NOT t.is_repeat) AS call_lines_known,
    TRY_CAST(SUM(t.lines_added) FILTER(WHERE
      NOT t.is_repeat) AS BIGINT) AS call_lines_added,
    TRY_CAST(SUM(t.lines_removed) FILTER(WHERE
      NOT t.is_repeat) AS BIGINT) AS call_lines_removed,
    ROUND(AVG(t.lines_added) FILTER(WHERE
      NOT t.is_repeat), 1) AS added_per_call,
    ROUND(AVG(t.lines_removed) FILTER(WHERE
      NOT t.is_repeat), 1) AS removed_per_call,
    COUNT(*) FILTER(WHERE
      t.is_repeat) AS repeats
  FROM live_tool_calls AS t
  JOIN live_conversations AS c
    ON c.machine_id = t.machine_id AND (
      c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    )
  WHERE
    t.tool_kind = 'edit'
  GROUP BY
    t.machine_id,
    c.session_id
)
SELECT
  s.machine_id AS machine_id,
  s.session_id AS session_id,
  s.source_id AS source_id,
  s.project_uri AS project_uri,
  s.project AS project,
  s.started_at AS started_at,
  s.ended_at AS ended_at,
  s.duration_ms AS duration_ms,
  t.conversations AS conversations,
  t.totals_known AS totals_known,
  t.lines_added AS lines_added,
  t.lines_removed AS lines_removed,
  COALESCE(k.edit_calls, 0) AS edit_calls,
  COALESCE(k.call_lines_known, 0) AS call_lines_known,
  k.call_lines_added AS call_lines_added,
  k.call_lines_removed AS call_lines_removed,
  k.added_per_call AS added_per_call,
  k.removed_per_call AS removed_per_call,
  COALESCE(k.repeats, 0) AS repeats
FROM live_sessions AS s
JOIN totals AS t
  ON t.machine_id = s.machine_id AND t.session_id = s.session_id
LEFT JOIN calls AS k
  ON k.machine_id = s.machine_id AND k.session_id = s.session_id;
