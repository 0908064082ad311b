-- Made by translate.py from sql/answers/28_billed_by_day.sql, sha256 099a10219781281397ca8fcbbc25523f2e33632f1bbab71240aeb8eb7874205c
-- Tokens and cost that Cursor counted, per day, project and model; with_tokens and with_cost of events record them. Estimates stand apart.
CREATE OR REPLACE VIEW billed_by_day AS
WITH used AS (
  SELECT
    all_usage.machine_id AS machine_id,
    CAST(all_usage.occurred_at AS Nullable(Date32)) AS day,
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
    CAST(u.occurred_at AS Nullable(Date32)) AS day,
    c.project AS project,
    c.project_uri AS project_uri,
    u.model AS model,
    CAST(NULL AS Nullable(String)) AS event_id,
    CAST(NULL AS Nullable(String)) AS root_conversation_id,
    CAST(NULL AS Nullable(Int64)) AS fresh_input_tokens,
    CAST(NULL AS Nullable(Int64)) AS cache_write_tokens,
    CAST(NULL AS Nullable(Int64)) AS cache_read_tokens,
    CAST(NULL AS Nullable(Int64)) AS output_tokens,
    CAST(NULL AS Nullable(Float64)) AS cost_cents,
    CAST(NULL AS Nullable(Float64)) AS charged_cents,
    CAST(NULL AS Nullable(Int64)) AS estimated_input_tokens,
    CAST(NULL AS Nullable(Int64)) AS estimated_output_tokens,
    CAST(NULL AS Nullable(Float64)) AS estimated_cost_cents,
    CAST(NULL AS Nullable(String)) AS estimate_method,
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
  trunc((
    SUM(used.cost_cents)
  ) * 10000 + 0.5 * sign((
    SUM(used.cost_cents)
  ))) / 10000 AS cost_cents,
  trunc((
    SUM(used.charged_cents)
  ) * 10000 + 0.5 * sign((
    SUM(used.charged_cents)
  ))) / 10000 AS charged_cents,
  trunc(
    (
      SUM(CASE WHEN NOT (
        used.fresh_input_tokens IS NULL
      ) AND NOT (
        used.cache_write_tokens IS NULL
      ) THEN used.cache_read_tokens END) / nullIf(SUM(CAST(used.fresh_input_tokens AS Nullable(Float64)) + used.cache_write_tokens + used.cache_read_tokens), 0)
    ) * 10000 + 0.5 * sign(
      (
        SUM(CASE WHEN NOT (
          used.fresh_input_tokens IS NULL
        ) AND NOT (
          used.cache_write_tokens IS NULL
        ) THEN used.cache_read_tokens END) / nullIf(SUM(CAST(used.fresh_input_tokens AS Nullable(Float64)) + used.cache_write_tokens + used.cache_read_tokens), 0)
      )
    )
  ) / 10000 AS cache_share,
  accurateCastOrNull(SUM(used.fresh_input_tokens), 'Int64') AS fresh_input_tokens,
  accurateCastOrNull(SUM(used.cache_write_tokens), 'Int64') AS cache_write_tokens,
  accurateCastOrNull(SUM(used.cache_read_tokens), 'Int64') AS cache_read_tokens,
  accurateCastOrNull(SUM(used.output_tokens), 'Int64') AS output_tokens,
  accurateCastOrNull(SUM(used.estimated_input_tokens), 'Int64') AS estimated_input_tokens,
  accurateCastOrNull(SUM(used.estimated_output_tokens), 'Int64') AS estimated_output_tokens,
  used.project_uri AS project_uri,
  CAST(COUNT(CASE WHEN NOT (
    used.event_id IS NULL
  ) THEN used.root_conversation_id END) AS Nullable(Int64)) AS with_conversation,
  CAST(COUNT(used.left_out) AS Nullable(Int64)) AS left_out,
  CAST(COUNT(used.estimated_cost_cents) AS Nullable(Int64)) AS estimated_with_cost,
  CAST(COUNT(COALESCE(used.fresh_input_tokens, used.output_tokens)) AS Nullable(Int64)) AS with_tokens,
  CAST(COUNT(used.event_id) AS Nullable(Int64)) AS events,
  CAST(COUNT(used.cost_cents) AS Nullable(Int64)) AS with_cost,
  CAST(COUNT(used.estimate_method) AS Nullable(Int64)) AS estimated_turns,
  trunc((
    SUM(used.estimated_cost_cents)
  ) * 10000 + 0.5 * sign((
    SUM(used.estimated_cost_cents)
  ))) / 10000 AS estimated_cost_cents
FROM used AS used
GROUP BY
  used.machine_id,
  used.day,
  used.project,
  used.model,
  used.project_uri
SETTINGS join_use_nulls = 1;
