-- Made by translate.py from sql/answers/09_tool_failures.sql, sha256 1fc55087b987c94c5fe3ac744d402872d82820dd840a6e397cd888bb35f98e83
-- Failure rate per tool and format version; outcome_known of calls have a recorded outcome.
CREATE OR REPLACE TEMPORARY VIEW tool_failures AS
SELECT
  t.machine_id AS machine_id,
  COALESCE(t.tool, '(unnamed)') AS tool,
  t.tool_kind AS tool_kind,
  c.format_version AS format_version,
  COUNT(CASE WHEN NOT t.is_repeat THEN 1 END) AS calls,
  COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END) AS outcome_known,
  COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) AS failed,
  ROUND(COUNT(CASE WHEN t.is_error AND NOT t.is_repeat THEN 1 END) / NULLIF(COUNT(CASE WHEN NOT t.is_repeat THEN t.is_error END), 0), 4) AS failure_rate,
  max_by(
    LEFT(t.error, 200),
    CASE
      WHEN (
        NOT t.error IS NULL AND NOT t.is_repeat
      ) AND NOT LEFT(t.error, 200) IS NULL
      THEN (
        COALESCE(UNIX_MILLIS(m.created_at), 0),
        t.position IS NULL,
        t.position,
        t.source_id IS NULL,
        t.source_id,
        t.conversation_id IS NULL,
        t.conversation_id,
        t.call_index IS NULL,
        t.call_index
      )
    END
  ) AS last_error,
  COUNT(CASE WHEN t.is_repeat THEN 1 END) AS repeats
FROM live_tool_calls AS t
JOIN live_conversations AS c
  ON c.machine_id = t.machine_id AND (
    c.source_id = t.source_id AND c.conversation_id = t.conversation_id
  )
LEFT JOIN messages AS m
  ON m.machine_id = t.machine_id AND (
    m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
  )
GROUP BY
  t.machine_id,
  COALESCE(t.tool, '(unnamed)'),
  t.tool_kind,
  c.format_version;
