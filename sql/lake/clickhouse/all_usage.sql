-- Made by translate.py from sql/views/08_all_usage.sql, sha256 e9018f329c50eb41692cd878531dbfdbe5475912832ebec55fdb9ac497d05ee3
-- Events that Cursor counted, and estimates of turns without one in columns of their own, with their conversation, project and session.
CREATE OR REPLACE VIEW all_usage AS
WITH RECURSIVE parents AS (
  SELECT
    conversations.machine_id AS machine_id,
    conversations.conversation_id AS conversation_id,
    any(conversations.parent_conversation_id) AS parent_conversation_id
  FROM conversations AS conversations
  WHERE
    conversations.is_subagent AND NOT (
      conversations.parent_conversation_id IS NULL
    )
  GROUP BY
    conversations.machine_id,
    conversations.conversation_id
), roots(machine_id, conversation_id, root_conversation_id, depth) AS (
  SELECT
    parents.machine_id AS machine_id,
    parents.conversation_id AS conversation_id,
    parents.parent_conversation_id AS root_conversation_id,
    1 AS depth
  FROM parents AS parents
  UNION ALL
  SELECT
    r.machine_id AS machine_id,
    r.conversation_id AS conversation_id,
    p.parent_conversation_id AS root_conversation_id,
    r.depth + 1 AS depth
  FROM roots AS r
  JOIN parents AS p
    ON p.machine_id = r.machine_id AND p.conversation_id = r.root_conversation_id
  WHERE
    r.depth < 100
), top AS (
  SELECT
    roots.machine_id AS machine_id,
    roots.conversation_id AS conversation_id,
    argMax(roots.root_conversation_id, roots.depth) AS root_conversation_id
  FROM roots AS roots
  GROUP BY
    roots.machine_id,
    roots.conversation_id
), used AS (
  SELECT
    usage_events.machine_id AS machine_id,
    usage_events.event_id AS event_id,
    usage_events.source_id AS source_id,
    usage_events.conversation_id AS conversation_id,
    usage_events.message_id AS message_id,
    usage_events.occurred_at AS occurred_at,
    usage_events.model AS model,
    usage_events.kind AS kind,
    usage_events.fresh_input_tokens AS fresh_input_tokens,
    usage_events.cache_write_tokens AS cache_write_tokens,
    usage_events.cache_read_tokens AS cache_read_tokens,
    usage_events.output_tokens AS output_tokens,
    usage_events.cost_cents AS cost_cents,
    usage_events.charged_cents AS charged_cents,
    usage_events.is_headless AS is_headless,
    usage_events.max_mode AS max_mode,
    usage_events.origin AS origin,
    usage_events.join_method AS join_method,
    CAST(NULL AS Nullable(Int64)) AS estimated_input_tokens,
    CAST(NULL AS Nullable(Int64)) AS estimated_output_tokens,
    CAST(NULL AS Nullable(Float64)) AS estimated_cost_cents,
    CAST(NULL AS Nullable(String)) AS estimate_method
  FROM usage_events AS usage_events
  WHERE
    usage_events.is_counted
  UNION ALL
  SELECT
    turn_estimates.machine_id AS machine_id,
    CAST(NULL AS Nullable(String)) AS event_id,
    turn_estimates.source_id AS source_id,
    turn_estimates.conversation_id AS conversation_id,
    turn_estimates.message_id AS message_id,
    turn_estimates.occurred_at AS occurred_at,
    turn_estimates.model AS model,
    CAST(NULL AS Nullable(String)) AS kind,
    CAST(NULL AS Nullable(Int64)) AS fresh_input_tokens,
    CAST(NULL AS Nullable(Int64)) AS cache_write_tokens,
    CAST(NULL AS Nullable(Int64)) AS cache_read_tokens,
    CAST(NULL AS Nullable(Int64)) AS output_tokens,
    CAST(NULL AS Nullable(Float64)) AS cost_cents,
    CAST(NULL AS Nullable(Float64)) AS charged_cents,
    CAST(NULL AS Nullable(Bool)) AS is_headless,
    CAST(NULL AS Nullable(Bool)) AS max_mode,
    CAST(NULL AS Nullable(String)) AS origin,
    CAST(NULL AS Nullable(String)) AS join_method,
    turn_estimates.input_tokens AS estimated_input_tokens,
    turn_estimates.output_tokens AS estimated_output_tokens,
    turn_estimates.cost_cents AS estimated_cost_cents,
    turn_estimates.method AS estimate_method
  FROM turn_estimates AS turn_estimates
)
SELECT
  u.machine_id AS machine_id,
  u.event_id AS event_id,
  u.source_id AS source_id,
  u.conversation_id AS conversation_id,
  u.message_id AS message_id,
  u.occurred_at AS occurred_at,
  u.model AS model,
  u.kind AS kind,
  u.fresh_input_tokens AS fresh_input_tokens,
  u.cache_write_tokens AS cache_write_tokens,
  u.cache_read_tokens AS cache_read_tokens,
  u.output_tokens AS output_tokens,
  u.cost_cents AS cost_cents,
  u.charged_cents AS charged_cents,
  u.is_headless AS is_headless,
  u.max_mode AS max_mode,
  u.origin AS origin,
  u.join_method AS join_method,
  u.estimated_input_tokens AS estimated_input_tokens,
  u.estimated_output_tokens AS estimated_output_tokens,
  u.estimated_cost_cents AS estimated_cost_cents,
  u.estimate_method AS estimate_method,
  c.project AS project,
  c.project_uri AS project_uri,
  c.display_title AS title,
  c.session_id AS session_id,
  CAST(COALESCE(c.is_subagent, FALSE) AS Nullable(Bool)) AS is_subagent,
  c.parent_conversation_id AS parent_conversation_id,
  CASE WHEN NOT (
    c.conversation_id IS NULL
  ) THEN COALESCE(t.root_conversation_id, u.conversation_id) END AS root_conversation_id
FROM used AS u
LEFT JOIN all_conversations AS c
  ON c.machine_id = u.machine_id AND (
    c.source_id = u.source_id AND c.conversation_id = u.conversation_id
  )
LEFT JOIN top AS t
  ON t.machine_id = u.machine_id AND t.conversation_id = u.conversation_id
SETTINGS join_use_nulls = 1;
