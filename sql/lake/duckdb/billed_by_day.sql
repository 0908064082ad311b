-- Made by translate.py from sql/answers/28_billed_by_day.sql, sha256 099a10219781281397ca8fcbbc25523f2e33632f1bbab71240aeb8eb7874205c
-- Tokens and cost that Cursor counted, per day, project and model; with_tokens and with_cost of events record them. Estimates stand apart.
CREATE OR REPLACE TEMP VIEW billed_by_day AS
WITH used AS (
  SELECT
    all_usage.machine_id AS machine_id,
    CAST(all_usage.occurred_at AS DATE) AS day,
    all_usage.project AS project,
    all_usage.project_uri AS project_uri,
    all_usage.model AS model,
    all_usage.event_id AS event_id,
    all_usage.root_conversation_id AS root_conversation_id,
    all_usage.fresh_input_tokens AS fresh_input_tokens,
    all_usage.cache_write_tokens AS cache_write_tokens,
    all_usage.cache_read_tokens AS cache_read_tokens,
    all_usage.output_tokens AS output_tokens,
    all_usage.cost_cents AS cost_cents,
    all_usage.charged_cents AS charged_cents,
    all_usage.estimated_input_tokens AS estimated_input_tokens,
    all_usage.estimated_output_tokens AS estimated_output_tokens,
    all_usage.estimated_cost_cents AS estimated_cost_cents,
    all_usage.estimate_method AS estimate_method,
    NULL AS left_out
  FROM all_usage AS all_usage
  UNION ALL
  SELECT
    u.machine_id AS machine_id,
    CAST(u.occurred_at AS DATE) AS day,
    c.project AS project,
    c.project_uri AS project_uri,
    u.model AS model,
    CAST(NULL AS TEXT) AS event_id,
    CAST(NULL AS TEXT) AS root_conversation_id,
    CAST(NULL AS BIGINT) AS fresh_input_tokens,
    CAST(NULL AS BIGINT) AS cache_write_tokens,
    CAST(NULL AS BIGINT) AS cache_read_tokens,
    CAST(NULL AS BIGINT) AS output_tokens,
    CAST(NULL AS DOUBLE) AS cost_cents,
    CAST(NULL AS DOUBLE) AS charged_cents,
    CAST(NULL AS BIGINT) AS estimated_input_tokens,
    CAST(NULL AS BIGINT) AS estimated_output_tokens,
    CAST(NULL AS DOUBLE) AS estimated_cost_cents,
    CAST(NULL AS TEXT) AS estimate_method,
    u.event_id AS left_out
  FROM usage_events AS u
  LEFT JOIN all_conversations AS c
    ON c.machine_id = u.machine_id AND (
      c.source_id = u.source_id AND c.conversation_id = u.conversation_id
    )
  WHERE
    NOT u.is_counted
)
SELECT
  used.machine_id AS machine_id,
  used.day AS day,
  used.project AS project,
  used.model AS model,
  ROUND(SUM(used.cost_cents), 4) AS cost_cents,
  ROUND(SUM(used.charged_cents), 4) AS charged_cents,
  ROUND(
    SUM(used.cache_read_tokens) FILTER(WHERE
      NOT used.fresh_input_tokens IS NULL AND NOT used.cache_write_tokens IS NULL) / NULLIF(SUM(CAST(used.fresh_input_tokens AS DOUBLE) + used.cache_write_tokens + used.cache_read_tokens), 0),
    4
  ) AS cache_share,
  TRY_CAST(SUM(used.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
  TRY_CAST(SUM(used.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
  TRY_CAST(SUM(used.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
  TRY_CAST(SUM(used.output_tokens) AS BIGINT) AS output_tokens,
  TRY_CAST(SUM(used.estimated_input_tokens) AS BIGINT) AS estimated_input_tokens,
  TRY_CAST(SUM(used.estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
  used.project_uri AS project_uri,
  COUNT(used.root_conversation_id) FILTER(WHERE
    NOT used.event_id IS NULL) AS with_conversation,
  COUNT(used.left_out) AS left_out,
  COUNT(used.estimated_cost_cents) AS estimated_with_cost,
  COUNT(COALESCE(used.fresh_input_tokens, used.output_tokens)) AS with_tokens,
  COUNT(used.event_id) AS events,
  COUNT(used.cost_cents) AS with_cost,
  COUNT(used.estimate_method) AS estimated_turns,
  ROUND(SUM(used.estimated_cost_cents), 4) AS estimated_cost_cents
FROM used AS used
GROUP BY
  used.machine_id,
  used.day,
  used.project,
  used.model,
  used.project_uri;
