-- Made by translate.py from sql/answers/28_billed_by_session.sql, sha256 bbb20b5f382a182c1ed72473d70ea4e21a14687e7a2f09c85965da5cdb02a257
-- Tokens and cost that Cursor counted, per session. Estimates stand apart.
CREATE OR REPLACE VIEW billed_by_session AS
WITH used AS (
  SELECT
    all_usage.machine_id AS machine_id,
    all_usage.session_id AS session_id,
    argMin(all_usage.title, (all_usage.occurred_at IS NULL, all_usage.occurred_at, all_usage.conversation_id IS NULL, all_usage.conversation_id)) AS title,
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
    CAST(COUNT(DISTINCT all_usage.conversation_id) AS Nullable(Int64)) AS conversations,
    nullIf(arrayStringConcat(arraySort(groupUniqArray(all_usage.model)), ', '), '') AS models,
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
    all_usage.session_id
)
SELECT
  u.machine_id AS machine_id,
  s.started_at AS started_at,
  s.project AS project,
  u.title AS title,
  u.cost_cents AS cost_cents,
  trunc((
    u.cost_cents * 3600000 / nullIf(s.duration_ms, 0)
  ) * 10000 + 0.5 * sign((
    u.cost_cents * 3600000 / nullIf(s.duration_ms, 0)
  ))) / 10000 AS cents_per_hour,
  s.ended_at AS ended_at,
  u.session_id AS session_id,
  s.source_id AS source_id,
  s.project_uri AS project_uri,
  u.charged_cents AS charged_cents,
  u.cache_share AS cache_share,
  u.fresh_input_tokens AS fresh_input_tokens,
  u.cache_write_tokens AS cache_write_tokens,
  u.cache_read_tokens AS cache_read_tokens,
  u.output_tokens AS output_tokens,
  u.estimated_input_tokens AS estimated_input_tokens,
  u.estimated_output_tokens AS estimated_output_tokens,
  u.conversations AS conversations,
  u.models AS models,
  u.estimated_with_cost AS estimated_with_cost,
  u.with_tokens AS with_tokens,
  u.events AS events,
  u.with_cost AS with_cost,
  u.estimated_turns AS estimated_turns,
  u.estimated_cost_cents AS estimated_cost_cents
FROM used AS u
LEFT JOIN sessions AS s
  ON s.machine_id = u.machine_id AND s.session_id = u.session_id
SETTINGS join_use_nulls = 1;
