-- Made by translate.py from sql/answers/28_billed_by_model.sql, sha256 692d0f09c30d31f34d2afdfc3afd7c79e119f182cff38fac95f08ae3b4b74857
-- Tokens and cost that Cursor counted, per model. Estimates stand apart.
CREATE OR REPLACE TEMP VIEW billed_by_model AS
SELECT
  all_usage.machine_id AS machine_id,
  all_usage.model AS model,
  ROUND(SUM(all_usage.cost_cents), 4) AS cost_cents,
  ROUND(SUM(all_usage.charged_cents), 4) AS charged_cents,
  ROUND(
    SUM(all_usage.cost_cents) FILTER(WHERE
      NOT all_usage.message_id IS NULL) / NULLIF(
      COUNT(DISTINCT CONCAT_WS('/', all_usage.source_id, all_usage.conversation_id, all_usage.message_id)) FILTER(WHERE
        NOT all_usage.message_id IS NULL AND NOT all_usage.cost_cents IS NULL),
      0
    ),
    4
  ) AS cents_per_prompt,
  ROUND(
    SUM(all_usage.cache_read_tokens) FILTER(WHERE
      NOT all_usage.fresh_input_tokens IS NULL AND NOT all_usage.cache_write_tokens IS NULL) / NULLIF(SUM(CAST(all_usage.fresh_input_tokens AS DOUBLE) + all_usage.cache_write_tokens + all_usage.cache_read_tokens), 0),
    4
  ) AS cache_share,
  TRY_CAST(SUM(all_usage.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
  TRY_CAST(SUM(all_usage.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
  TRY_CAST(SUM(all_usage.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
  TRY_CAST(SUM(all_usage.output_tokens) AS BIGINT) AS output_tokens,
  TRY_CAST(SUM(all_usage.estimated_input_tokens) AS BIGINT) AS estimated_input_tokens,
  TRY_CAST(SUM(all_usage.estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
  MIN(all_usage.occurred_at) AS first_at,
  MAX(all_usage.occurred_at) AS last_at,
  COUNT(all_usage.estimated_cost_cents) AS estimated_with_cost,
  COUNT(COALESCE(all_usage.fresh_input_tokens, all_usage.output_tokens)) AS with_tokens,
  COUNT(all_usage.event_id) AS events,
  COUNT(all_usage.cost_cents) AS with_cost,
  COUNT(all_usage.estimate_method) AS estimated_turns,
  ROUND(SUM(all_usage.estimated_cost_cents), 4) AS estimated_cost_cents
FROM all_usage AS all_usage
GROUP BY
  all_usage.machine_id,
  all_usage.model;
