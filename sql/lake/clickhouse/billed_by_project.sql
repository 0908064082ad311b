-- Made by translate.py from sql/answers/28_billed_by_project.sql, sha256 860ed4d5067e05258a4b1b7aeba2e07f3584a43101f054780980ad8c112aff05
-- Tokens and cost that Cursor counted, per project; unassigned events belong to no conversation. Estimates stand apart.
CREATE OR REPLACE VIEW billed_by_project AS
SELECT
  all_usage.machine_id AS machine_id,
  all_usage.project AS project,
  CAST(COUNT(DISTINCT all_usage.conversation_id) AS Nullable(Int64)) AS conversations,
  trunc((
    SUM(all_usage.cost_cents)
  ) * 10000 + 0.5 * sign((
    SUM(all_usage.cost_cents)
  ))) / 10000 AS cost_cents,
  trunc((
    SUM(all_usage.charged_cents)
  ) * 10000 + 0.5 * sign((
    SUM(all_usage.charged_cents)
  ))) / 10000 AS charged_cents,
  trunc(
    (
      SUM(
        CASE
          WHEN NOT (
            all_usage.fresh_input_tokens IS NULL
          ) AND NOT (
            all_usage.cache_write_tokens IS NULL
          )
          THEN all_usage.cache_read_tokens
        END
      ) / nullIf(SUM(CAST(all_usage.fresh_input_tokens AS Nullable(Float64)) + all_usage.cache_write_tokens + all_usage.cache_read_tokens), 0)
    ) * 10000 + 0.5 * sign(
      (
        SUM(
          CASE
            WHEN NOT (
              all_usage.fresh_input_tokens IS NULL
            ) AND NOT (
              all_usage.cache_write_tokens IS NULL
            )
            THEN all_usage.cache_read_tokens
          END
        ) / nullIf(SUM(CAST(all_usage.fresh_input_tokens AS Nullable(Float64)) + all_usage.cache_write_tokens + all_usage.cache_read_tokens), 0)
      )
    )
  ) / 10000 AS cache_share,
  accurateCastOrNull(SUM(all_usage.fresh_input_tokens), 'Int64') AS fresh_input_tokens,
  accurateCastOrNull(SUM(all_usage.cache_write_tokens), 'Int64') AS cache_write_tokens,
  accurateCastOrNull(SUM(all_usage.cache_read_tokens), 'Int64') AS cache_read_tokens,
  accurateCastOrNull(SUM(all_usage.output_tokens), 'Int64') AS output_tokens,
  accurateCastOrNull(SUM(all_usage.estimated_input_tokens), 'Int64') AS estimated_input_tokens,
  accurateCastOrNull(SUM(all_usage.estimated_output_tokens), 'Int64') AS estimated_output_tokens,
  MIN(all_usage.occurred_at) AS first_at,
  MAX(all_usage.occurred_at) AS last_at,
  all_usage.project_uri AS project_uri,
  CAST(COUNT(CASE WHEN NOT (
    all_usage.event_id IS NULL
  ) AND all_usage.join_method = 'none' THEN 1 END) AS Nullable(Int64)) AS unassigned,
  CAST(COUNT(all_usage.estimated_cost_cents) AS Nullable(Int64)) AS estimated_with_cost,
  CAST(COUNT(COALESCE(all_usage.fresh_input_tokens, all_usage.output_tokens)) AS Nullable(Int64)) AS with_tokens,
  CAST(COUNT(all_usage.event_id) AS Nullable(Int64)) AS events,
  CAST(COUNT(all_usage.cost_cents) AS Nullable(Int64)) AS with_cost,
  CAST(COUNT(all_usage.estimate_method) AS Nullable(Int64)) AS estimated_turns,
  trunc((
    SUM(all_usage.estimated_cost_cents)
  ) * 10000 + 0.5 * sign((
    SUM(all_usage.estimated_cost_cents)
  ))) / 10000 AS estimated_cost_cents
FROM all_usage AS all_usage
GROUP BY
  all_usage.machine_id,
  all_usage.project,
  all_usage.project_uri
SETTINGS join_use_nulls = 1;
