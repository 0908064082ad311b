-- Made by translate.py from sql/answers/28_billed_by_conversation.sql, sha256 a4609f16c806488d3a0ff052489e1191d2e519a3e2005eb415de3aa974f8bb1e
-- Tokens and cost that Cursor counted, per conversation, and what its subagents cost. Estimates stand apart.
CREATE OR REPLACE TEMPORARY VIEW billed_by_conversation AS
WITH own AS (
  SELECT
    all_usage.machine_id AS machine_id,
    all_usage.source_id AS source_id,
    all_usage.conversation_id AS conversation_id,
    any_value(all_usage.title, TRUE) AS title,
    any_value(all_usage.project, TRUE) AS project,
    any_value(all_usage.project_uri, TRUE) AS project_uri,
    bool_or(all_usage.is_subagent) AS is_subagent,
    any_value(all_usage.parent_conversation_id, TRUE) AS parent_conversation_id,
    any_value(all_usage.root_conversation_id, TRUE) AS root_conversation_id,
    MIN(all_usage.occurred_at) AS first_at,
    MAX(all_usage.occurred_at) AS last_at,
    nullif(array_join(array_sort(collect_set(all_usage.model)), ', '), '') AS models,
    ROUND(SUM(all_usage.cost_cents), 4) AS cost_cents,
    ROUND(SUM(all_usage.charged_cents), 4) AS charged_cents,
    ROUND(
      SUM(CASE WHEN NOT all_usage.fresh_input_tokens IS NULL AND NOT all_usage.cache_write_tokens IS NULL THEN all_usage.cache_read_tokens END) / NULLIF(SUM(CAST(all_usage.fresh_input_tokens AS DOUBLE) + all_usage.cache_write_tokens + all_usage.cache_read_tokens), 0),
      4
    ) AS cache_share,
    TRY_CAST(SUM(all_usage.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
    TRY_CAST(SUM(all_usage.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
    TRY_CAST(SUM(all_usage.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
    TRY_CAST(SUM(all_usage.output_tokens) AS BIGINT) AS output_tokens,
    TRY_CAST(SUM(all_usage.estimated_input_tokens) AS BIGINT) AS estimated_input_tokens,
    TRY_CAST(SUM(all_usage.estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
    COUNT(all_usage.estimated_cost_cents) AS estimated_with_cost,
    COUNT(COALESCE(all_usage.fresh_input_tokens, all_usage.output_tokens)) AS with_tokens,
    COUNT(all_usage.event_id) AS events,
    COUNT(all_usage.cost_cents) AS with_cost,
    COUNT(all_usage.estimate_method) AS estimated_turns,
    ROUND(SUM(all_usage.estimated_cost_cents), 4) AS estimated_cost_cents
  FROM all_usage AS all_usage
  WHERE
    NOT all_usage.conversation_id IS NULL
  GROUP BY
    all_usage.machine_id,
    all_usage.source_id,
    all_usage.conversation_id
), below AS (
  SELECT
    own.machine_id AS machine_id,
    own.root_conversation_id AS conversation_id,
    COUNT(*) AS subagents,
    ROUND(SUM(own.cost_cents), 4) AS subagents_cost_cents,
    ROUND(SUM(own.estimated_cost_cents), 4) AS subagents_estimated_cost_cents
  FROM own AS own
  WHERE
    own.conversation_id <> own.root_conversation_id
  GROUP BY
    own.machine_id,
    own.root_conversation_id
)
SELECT
  o.machine_id AS machine_id,
  o.title AS title,
  o.project AS project,
  o.conversation_id AS conversation_id,
  ROUND(COALESCE(o.cost_cents + b.subagents_cost_cents, o.cost_cents, b.subagents_cost_cents), 4) AS total_cost_cents,
  o.cost_cents AS cost_cents,
  b.subagents_cost_cents AS subagents_cost_cents,
  COALESCE(b.subagents, 0) AS subagents,
  b.subagents_estimated_cost_cents AS subagents_estimated_cost_cents,
  o.source_id AS source_id,
  o.project_uri AS project_uri,
  o.is_subagent AS is_subagent,
  o.parent_conversation_id AS parent_conversation_id,
  o.first_at AS first_at,
  o.last_at AS last_at,
  o.models AS models,
  o.charged_cents AS charged_cents,
  o.cache_share AS cache_share,
  o.fresh_input_tokens AS fresh_input_tokens,
  o.cache_write_tokens AS cache_write_tokens,
  o.cache_read_tokens AS cache_read_tokens,
  o.output_tokens AS output_tokens,
  o.estimated_input_tokens AS estimated_input_tokens,
  o.estimated_output_tokens AS estimated_output_tokens,
  o.estimated_with_cost AS estimated_with_cost,
  o.with_tokens AS with_tokens,
  o.events AS events,
  o.with_cost AS with_cost,
  o.estimated_turns AS estimated_turns,
  o.estimated_cost_cents AS estimated_cost_cents
FROM own AS o
LEFT JOIN below AS b
  ON b.machine_id = o.machine_id AND b.conversation_id = o.conversation_id
UNION ALL
SELECT
  b.machine_id AS machine_id,
  c.display_title AS title,
  c.project AS project,
  c.conversation_id AS conversation_id,
  b.subagents_cost_cents AS total_cost_cents,
  CAST(NULL AS DOUBLE) AS cost_cents,
  b.subagents_cost_cents AS subagents_cost_cents,
  b.subagents AS subagents,
  b.subagents_estimated_cost_cents AS subagents_estimated_cost_cents,
  c.source_id AS source_id,
  c.project_uri AS project_uri,
  c.is_subagent AS is_subagent,
  c.parent_conversation_id AS parent_conversation_id,
  CAST(NULL AS TIMESTAMP) AS first_at,
  CAST(NULL AS TIMESTAMP) AS last_at,
  CAST(NULL AS STRING) AS models,
  CAST(NULL AS DOUBLE) AS charged_cents,
  CAST(NULL AS DOUBLE) AS cache_share,
  CAST(NULL AS BIGINT) AS fresh_input_tokens,
  CAST(NULL AS BIGINT) AS cache_write_tokens,
  CAST(NULL AS BIGINT) AS cache_read_tokens,
  CAST(NULL AS BIGINT) AS output_tokens,
  CAST(NULL AS BIGINT) AS estimated_input_tokens,
  CAST(NULL AS BIGINT) AS estimated_output_tokens,
  0 AS estimated_with_cost,
  0 AS with_tokens,
  0 AS events,
  0 AS with_cost,
  0 AS estimated_turns,
  CAST(NULL AS DOUBLE) AS estimated_cost_cents
FROM below AS b
JOIN all_conversations AS c
  ON c.machine_id = b.machine_id AND c.conversation_id = b.conversation_id
ANTI JOIN (
  SELECT
    conversation_copies.machine_id AS machine_id,
    conversation_copies.source_id AS source_id,
    conversation_copies.conversation_id AS conversation_id,
    conversation_copies.primary_source_id AS primary_source_id,
    conversation_copies.is_primary AS is_primary,
    conversation_copies.copies AS copies,
    conversation_copies.primary_conversation_id AS primary_conversation_id
  FROM conversation_copies AS conversation_copies
  WHERE
    NOT conversation_copies.is_primary
) AS k
  ON k.machine_id = b.machine_id AND (
    k.source_id = c.source_id AND k.conversation_id = c.conversation_id
  )
ANTI JOIN own AS o
  ON o.machine_id = b.machine_id AND o.conversation_id = b.conversation_id;
