-- Made by translate.py from sql/answers/28_billed_by_turn.sql, sha256 095cb4b9d727f826034d658a7fd6ccd5e3f071b222d113aeb9906586065c07a0
-- Tokens and cost that Cursor counted for each prompt, and how its turn ended; unassigned events belong to no turn.
CREATE OR REPLACE TEMP VIEW billed_by_turn AS
WITH turns AS (
  SELECT
    all_usage.machine_id AS machine_id,
    all_usage.source_id AS source_id,
    all_usage.conversation_id AS conversation_id,
    all_usage.message_id AS message_id,
    COUNT(all_usage.event_id) AS events,
    COUNT(all_usage.cost_cents) AS with_cost,
    MIN(all_usage.occurred_at) AS occurred_at,
    LISTAGG(DISTINCT all_usage.model, ', '
    ORDER BY
      all_usage.model) AS models,
    TRY_CAST(SUM(all_usage.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
    TRY_CAST(SUM(all_usage.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
    TRY_CAST(SUM(all_usage.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
    TRY_CAST(SUM(all_usage.output_tokens) AS BIGINT) AS output_tokens,
    ROUND(SUM(all_usage.cost_cents), 4) AS cost_cents,
    ROUND(SUM(all_usage.charged_cents), 4) AS charged_cents,
    ANY_VALUE(all_usage.estimated_input_tokens) AS estimated_input_tokens,
    ANY_VALUE(all_usage.estimated_output_tokens) AS estimated_output_tokens,
    ANY_VALUE(all_usage.estimated_cost_cents) AS estimated_cost_cents,
    ANY_VALUE(all_usage.estimate_method) AS estimate_method
  FROM all_usage AS all_usage
  WHERE
    NOT all_usage.source_id IS NULL AND NOT all_usage.message_id IS NULL
  GROUP BY
    all_usage.machine_id,
    all_usage.source_id,
    all_usage.conversation_id,
    all_usage.message_id
), failed AS (
  SELECT
    p.machine_id AS machine_id,
    p.source_id AS source_id,
    p.conversation_id AS conversation_id,
    p.message_id AS message_id,
    BOOL_OR(m.kind = 'error' OR NOT m.error IS NULL) AS has_error,
    BOOL_OR(t.user_decision = 'rejected') AS has_rejected
  FROM turns AS p
  JOIN messages AS o
    ON o.machine_id = p.machine_id AND (
      o.source_id = p.source_id AND o.conversation_id = p.conversation_id AND o.message_id = p.message_id
    )
  JOIN messages AS m
    ON m.machine_id = p.machine_id
    AND (
      m.source_id = o.source_id
      AND m.conversation_id = o.conversation_id
      AND m.turn = o.turn
      AND (
        m.deleted_at IS NULL OR NOT o.deleted_at IS NULL
      )
    )
  LEFT JOIN tool_calls AS t
    ON t.machine_id = p.machine_id AND (
      t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id
    )
  GROUP BY
    p.machine_id,
    p.source_id,
    p.conversation_id,
    p.message_id
)
SELECT
  p.machine_id AS machine_id,
  c.project AS project,
  LEFT(m.text, 200) AS prompt,
  p.cost_cents AS cost_cents,
  CASE WHEN f.has_error THEN 'failed' WHEN f.has_rejected THEN 'rejected' ELSE 'done' END AS outcome,
  p.charged_cents AS charged_cents,
  p.models AS models,
  p.occurred_at AS occurred_at,
  p.fresh_input_tokens AS fresh_input_tokens,
  p.cache_write_tokens AS cache_write_tokens,
  p.cache_read_tokens AS cache_read_tokens,
  p.output_tokens AS output_tokens,
  c.display_title AS display_title,
  p.source_id AS source_id,
  p.conversation_id AS conversation_id,
  p.message_id AS message_id,
  c.is_subagent AS is_subagent,
  c.parent_conversation_id AS parent_conversation_id,
  _value0.value AS unassigned,
  p.estimate_method AS estimate_method,
  p.estimated_input_tokens AS estimated_input_tokens,
  p.estimated_output_tokens AS estimated_output_tokens,
  p.events AS events,
  p.with_cost AS with_cost,
  ROUND(p.estimated_cost_cents, 4) AS estimated_cost_cents
FROM turns AS p
JOIN all_conversations AS c
  ON c.machine_id = p.machine_id AND (
    c.source_id = p.source_id AND c.conversation_id = p.conversation_id
  )
LEFT JOIN messages AS m
  ON m.machine_id = p.machine_id AND (
    m.source_id = p.source_id AND m.conversation_id = p.conversation_id AND m.message_id = p.message_id
  )
LEFT JOIN failed AS f
  ON f.machine_id = p.machine_id AND (
    f.source_id = p.source_id AND f.conversation_id = p.conversation_id AND f.message_id = p.message_id
  )
JOIN (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows._is_row) AS value
  FROM _machines
  LEFT JOIN (
    SELECT
      usage_events.machine_id AS machine_id,
      1 AS _is_row
    FROM usage_events AS usage_events
    WHERE
      usage_events.is_counted AND usage_events.message_id IS NULL
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
) AS _value0
  ON _value0.machine_id = p.machine_id;
