-- Made by translate.py from sql/answers/08_tool_usage.sql, sha256 04a6b948f0ac62151093062d98bd4b76b2906ac6da3d761cd10b84f7a98c72b3
-- Calls per tool, mode and model; of tool_calls calls of the tool mode_known have a mode and model_known a model.
CREATE OR REPLACE TEMP VIEW tool_usage AS
WITH turns AS (
  SELECT
    messages.machine_id AS machine_id,
    messages.source_id AS source_id,
    messages.conversation_id AS conversation_id,
    messages.turn AS turn,
    MIN(messages.model) AS model
  FROM messages AS messages
  WHERE
    NOT messages.model IS NULL AND messages.deleted_at IS NULL
  GROUP BY
    messages.machine_id,
    messages.source_id,
    messages.conversation_id,
    messages.turn
  HAVING
    MIN(messages.model) = MAX(messages.model)
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    COALESCE(t.tool, '(unnamed)') AS tool,
    t.tool_kind AS tool_kind,
    COALESCE(m.mode, c.mode) AS mode,
    COALESCE(m.model, u.model) AS model,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
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
  LEFT JOIN turns AS u
    ON u.machine_id = t.machine_id AND (
      u.source_id = m.source_id AND u.conversation_id = m.conversation_id AND u.turn = m.turn
    )
  WHERE
    t.deleted_at IS NULL
), counted AS (
  SELECT
    calls.machine_id AS machine_id,
    calls.tool AS tool,
    calls.tool_kind AS tool_kind,
    calls.mode AS mode,
    calls.model AS model,
    COUNT(*) AS calls,
    COUNT(DISTINCT (calls.source_id, calls.conversation_id)) AS conversations
  FROM calls AS calls
  WHERE
    NOT calls.is_repeat
  GROUP BY
    calls.machine_id,
    calls.tool,
    calls.tool_kind,
    calls.mode,
    calls.model
), repeated AS (
  SELECT
    calls.machine_id AS machine_id,
    calls.tool AS tool,
    calls.tool_kind AS tool_kind,
    COUNT(*) AS repeats
  FROM calls AS calls
  WHERE
    calls.is_repeat
  GROUP BY
    calls.machine_id,
    calls.tool,
    calls.tool_kind
)
SELECT
  n.machine_id AS machine_id,
  n.tool AS tool,
  n.tool_kind AS tool_kind,
  n.mode AS mode,
  n.model AS model,
  n.calls AS calls,
  n.conversations AS conversations,
  ROUND(n.calls / SUM(n.calls) OVER (PARTITION BY n.machine_id), 4) AS share,
  TRY_CAST(SUM(n.calls) OVER (PARTITION BY n.machine_id, n.tool, n.tool_kind) AS BIGINT) AS tool_calls,
  TRY_CAST(COALESCE(SUM(n.calls) FILTER(WHERE
    NOT n.mode IS NULL) OVER (PARTITION BY n.machine_id, n.tool, n.tool_kind), 0) AS BIGINT) AS mode_known,
  TRY_CAST(COALESCE(SUM(n.calls) FILTER(WHERE
    NOT n.model IS NULL) OVER (PARTITION BY n.machine_id, n.tool, n.tool_kind), 0) AS BIGINT) AS model_known,
  COALESCE(r.repeats, 0) AS repeats
FROM counted AS n
LEFT JOIN repeated AS r
  ON r.machine_id = n.machine_id AND (
    r.tool = n.tool AND r.tool_kind = n.tool_kind
  );
