-- Made by translate.py from sql/answers/29_billed_by_outcome.sql, sha256 dce35d032e3bc3209e236471d52e8984edac2fea056561467e95cf6564ce17be
-- Tokens and cost that Cursor counted for turns that were done, failed or rejected. Estimates stand apart.
CREATE OR REPLACE VIEW billed_by_outcome AS
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
    CAST(NULL AS Nullable(String)) AS outcome,
    CAST(NULL AS Nullable(Int32)) AS turns,
    1 AS events,
    CAST(NOT (
      all_usage.cost_cents IS NULL
    ) AS Nullable(Int64)) AS with_cost,
    all_usage.fresh_input_tokens AS fresh_input_tokens,
    all_usage.cache_write_tokens AS cache_write_tokens,
    all_usage.cache_read_tokens AS cache_read_tokens,
    all_usage.output_tokens AS output_tokens,
    all_usage.cost_cents AS cost_cents,
    all_usage.charged_cents AS charged_cents,
    CAST(NULL AS Nullable(String)) AS estimate_method,
    CAST(NULL AS Nullable(Float64)) AS estimated_cost_cents
  FROM all_usage AS all_usage
  WHERE
    NOT (
      all_usage.event_id IS NULL
    ) AND all_usage.message_id IS NULL
)
SELECT
  parts.machine_id AS machine_id,
  parts.outcome AS outcome,
  CAST(COUNT(parts.turns) AS Nullable(Int64)) AS turns,
  trunc((
    SUM(parts.cost_cents)
  ) * 10000 + 0.5 * sign((
    SUM(parts.cost_cents)
  ))) / 10000 AS cost_cents,
  trunc(
    (
      SUM(parts.cost_cents) / nullIf(SUM(SUM(parts.cost_cents)) OVER (PARTITION BY parts.machine_id), 0)
    ) * 10000 + 0.5 * sign((
      SUM(parts.cost_cents) / nullIf(SUM(SUM(parts.cost_cents)) OVER (PARTITION BY parts.machine_id), 0)
    ))
  ) / 10000 AS share_of_cost,
  trunc((
    SUM(parts.charged_cents)
  ) * 10000 + 0.5 * sign((
    SUM(parts.charged_cents)
  ))) / 10000 AS charged_cents,
  accurateCastOrNull(SUM(parts.fresh_input_tokens), 'Int64') AS fresh_input_tokens,
  accurateCastOrNull(SUM(parts.cache_write_tokens), 'Int64') AS cache_write_tokens,
  accurateCastOrNull(SUM(parts.cache_read_tokens), 'Int64') AS cache_read_tokens,
  accurateCastOrNull(SUM(parts.output_tokens), 'Int64') AS output_tokens,
  accurateCastOrNull(SUM(parts.events), 'Int64') AS events,
  accurateCastOrNull(SUM(parts.with_cost), 'Int64') AS with_cost,
  CAST(COUNT(parts.estimate_method) AS Nullable(Int64)) AS estimated_turns,
  trunc((
    SUM(parts.estimated_cost_cents)
  ) * 10000 + 0.5 * sign((
    SUM(parts.estimated_cost_cents)
  ))) / 10000 AS estimated_cost_cents
FROM parts AS parts
GROUP BY
  parts.machine_id,
  parts.outcome
SETTINGS join_use_nulls = 1;
