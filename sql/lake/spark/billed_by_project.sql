-- Made by translate.py from sql/answers/28_billed_by_project.sql, sha256 860ed4d5067e05258a4b1b7aeba2e07f3584a43101f054780980ad8c112aff05
-- Tokens and cost that Cursor counted, per project; unassigned events belong to no conversation. Estimates stand apart.
CREATE OR REPLACE TEMPORARY VIEW billed_by_project AS
SELECT
  all_usage.machine_id AS machine_id,
  all_usage.project AS project,
  COUNT(DISTINCT all_usage.conversation_id) AS conversations,
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
  MIN(all_usage.occurred_at) AS first_at,
  MAX(all_usage.occurred_at) AS last_at,
  all_usage.project_uri AS project_uri,
  COUNT(CASE WHEN NOT all_usage.event_id IS NULL AND all_usage.join_method = 'none' THEN 1 END) AS unassigned,
  COUNT(all_usage.estimated_cost_cents) AS estimated_with_cost,
  COUNT(COALESCE(all_usage.fresh_input_tokens, all_usage.output_tokens)) AS with_tokens,
  COUNT(all_usage.event_id) AS events,
  COUNT(all_usage.cost_cents) AS with_cost,
  COUNT(all_usage.estimate_method) AS estimated_turns,
  ROUND(SUM(all_usage.estimated_cost_cents), 4) AS estimated_cost_cents
FROM all_usage AS all_usage
GROUP BY
  all_usage.machine_id,
  all_usage.project,
  all_usage.project_uri;
