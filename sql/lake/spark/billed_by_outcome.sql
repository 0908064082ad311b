-- Made by translate.py from sql/answers/29_billed_by_outcome.sql, sha256 dce35d032e3bc3209e236471d52e8984edac2fea056561467e95cf6564ce17be
-- Tokens and cost that Cursor counted for turns that were done, failed or rejected. Estimates stand apart.
CREATE OR REPLACE TEMPORARY VIEW billed_by_outcome AS
WITH parts AS (
  SELECT
    billed_by_turn.machine_id AS machine_id,
    billed_by_turn.outcome AS outcome,
    1 AS turns,
    billed_by_turn.events AS events,
    billed_by_turn.with_cost AS with_cost,
    billed_by_turn.fresh_input_tokens AS fresh_input_tokens,
    billed_by_turn.cache_write_tokens AS cache_write_tokens,
    billed_by_turn.cache_read_tokens AS cache_read_tokens,
    billed_by_turn.output_tokens AS output_tokens,
    billed_by_turn.cost_cents AS cost_cents,
    billed_by_turn.charged_cents AS charged_cents,
    billed_by_turn.estimate_method AS estimate_method,
    billed_by_turn.estimated_cost_cents AS estimated_cost_cents
  FROM billed_by_turn AS billed_by_turn
  UNION ALL
  SELECT
    all_usage.machine_id AS machine_id,
    CAST(NULL AS STRING) AS outcome,
    CAST(NULL AS INT) AS turns,
    1 AS events,
    CAST(NOT all_usage.cost_cents IS NULL AS BIGINT) AS with_cost,
    all_usage.fresh_input_tokens AS fresh_input_tokens,
    all_usage.cache_write_tokens AS cache_write_tokens,
    all_usage.cache_read_tokens AS cache_read_tokens,
    all_usage.output_tokens AS output_tokens,
    all_usage.cost_cents AS cost_cents,
    all_usage.charged_cents AS charged_cents,
    CAST(NULL AS STRING) AS estimate_method,
    CAST(NULL AS DOUBLE) AS estimated_cost_cents
  FROM all_usage AS all_usage
  WHERE
    NOT all_usage.event_id IS NULL AND all_usage.message_id IS NULL
)
SELECT
  parts.machine_id AS machine_id,
  parts.outcome AS outcome,
  COUNT(parts.turns) AS turns,
  ROUND(SUM(parts.cost_cents), 4) AS cost_cents,
  ROUND(SUM(parts.cost_cents) / NULLIF(SUM(SUM(parts.cost_cents)) OVER (PARTITION BY parts.machine_id), 0), 4) AS share_of_cost,
  ROUND(SUM(parts.charged_cents), 4) AS charged_cents,
  TRY_CAST(SUM(parts.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
  TRY_CAST(SUM(parts.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
  TRY_CAST(SUM(parts.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
  TRY_CAST(SUM(parts.output_tokens) AS BIGINT) AS output_tokens,
  TRY_CAST(SUM(parts.events) AS BIGINT) AS events,
  TRY_CAST(SUM(parts.with_cost) AS BIGINT) AS with_cost,
  COUNT(parts.estimate_method) AS estimated_turns,
  ROUND(SUM(parts.estimated_cost_cents), 4) AS estimated_cost_cents
FROM parts AS parts
GROUP BY
  parts.machine_id,
  parts.outcome;
