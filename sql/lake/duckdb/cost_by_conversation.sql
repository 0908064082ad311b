-- Made by translate.py from sql/answers/05_cost_by_conversation.sql, sha256 3c8a70380f83c0e4a85c76b8ca42d637df2313af91f62551feedd2d4e7b05aa3
-- Cost and requests per conversation and model where an old store recorded them; with_cost of live_total conversations do.
CREATE OR REPLACE TEMP VIEW cost_by_conversation AS
WITH known AS (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows.cost_cents) AS with_cost,
    COUNT(_rows._is_row) AS live_total
  FROM _machines
  LEFT JOIN (
    SELECT
      live_conversations.machine_id AS machine_id,
      live_conversations.cost_cents AS cost_cents,
      1 AS _is_row
    FROM live_conversations AS live_conversations
    WHERE
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
), usage AS (
  SELECT
    u.machine_id AS machine_id,
    u.source_id AS source_id,
    u.conversation_id AS conversation_id,
    c.display_title AS title,
    c.project AS project,
    c.project_uri AS project_uri,
    c.created_at AS created_at,
    u.model AS model,
    ROUND(u.cost_cents, 4) AS cost_cents,
    u.requests AS requests,
    ROUND(SUM(u.cost_cents) OVER (PARTITION BY u.machine_id, u.source_id, u.conversation_id), 4) AS conversation_cost_cents
  FROM live_model_usage AS u
  JOIN live_conversations AS c
    ON c.machine_id = u.machine_id AND (
      c.source_id = u.source_id AND c.conversation_id = u.conversation_id
    )
  WHERE
    NOT u.is_repeat AND (
      NOT u.cost_cents IS NULL OR NOT u.requests IS NULL
    )
), copied AS (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows._is_row) AS repeats
  FROM _machines
  LEFT JOIN (
    SELECT
      live_model_usage.machine_id AS machine_id,
      1 AS _is_row
    FROM live_model_usage AS live_model_usage
    WHERE
      live_model_usage.is_repeat AND (
        NOT live_model_usage.cost_cents IS NULL OR NOT live_model_usage.requests IS NULL
      )
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
)
SELECT
  usage.machine_id AS machine_id,
  usage.source_id AS source_id,
  usage.conversation_id AS conversation_id,
  usage.title AS title,
  usage.project AS project,
  usage.project_uri AS project_uri,
  usage.created_at AS created_at,
  usage.model AS model,
  usage.cost_cents AS cost_cents,
  usage.requests AS requests,
  usage.conversation_cost_cents AS conversation_cost_cents,
  known.with_cost AS with_cost,
  known.live_total AS live_total,
  copied.repeats AS repeats
FROM usage AS usage
JOIN known AS known
  ON known.machine_id = usage.machine_id
JOIN copied AS copied
  ON copied.machine_id = usage.machine_id;
