-- Made by translate.py from sql/answers/28_billed_by_model.sql, sha256 692d0f09c30d31f34d2afdfc3afd7c79e119f182cff38fac95f08ae3b4b74857
-- Tokens and cost that Cursor counted, per model. Estimates stand apart.
CREATE OR REPLACE VIEW billed_by_model AS
SELECT
  all_usage.machine_id AS machine_id,
  all_usage.model AS model,
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
      SUM(CASE WHEN NOT (
        all_usage.message_id IS NULL
      ) THEN all_usage.cost_cents END) / nullIf(
        CAST(COUNT(
          DISTINCT CASE
            WHEN NOT (
              all_usage.message_id IS NULL
            ) AND NOT (
              all_usage.cost_cents IS NULL
            )
            THEN CONCAT_WS('/', COALESCE(all_usage.source_id, ''), COALESCE(all_usage.conversation_id, ''), COALESCE(all_usage.message_id, ''))
          END
        ) AS Nullable(Int64)),
        0
      )
    ) * 10000 + 0.5 * sign(
      (
        SUM(CASE WHEN NOT (
          all_usage.message_id IS NULL
        ) THEN all_usage.cost_cents END) / nullIf(
          CAST(COUNT(
            DISTINCT CASE
              WHEN NOT (
                all_usage.message_id IS NULL
              ) AND NOT (
                all_usage.cost_cents IS NULL
              )
              THEN CONCAT_WS('/', COALESCE(all_usage.source_id, ''), COALESCE(all_usage.conversation_id, ''), COALESCE(all_usage.message_id, ''))
            END
          ) AS Nullable(Int64)),
          0
        )
      )
    )
  ) / 10000 AS cents_per_prompt,
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
  all_usage.model
SETTINGS join_use_nulls = 1;
