-- Made by translate.py from sql/answers/05_cost_by_model.sql, sha256 e4a630e9b324bfb1d719cada91f3ee5438796302ffe519b7a384ca01dd4478d9
-- Cost and requests per model; cost_known of its conversations record it, with_cost of live_total conversations any cost.
CREATE OR REPLACE VIEW cost_by_model AS
WITH models AS (
  SELECT
    cost_by_conversation.machine_id AS machine_id,
    cost_by_conversation.model AS model,
    SUM(cost_by_conversation.cost_cents) AS cost_cents,
    SUM(cost_by_conversation.requests) AS requests,
    CAST(COUNT(*) AS Nullable(Int64)) AS conversations,
    CAST(COUNT(cost_by_conversation.cost_cents) AS Nullable(Int64)) AS cost_known,
    SUM(CASE WHEN NOT (
      cost_by_conversation.requests IS NULL
    ) THEN cost_by_conversation.cost_cents END) / nullIf(SUM(CASE WHEN NOT (
      cost_by_conversation.cost_cents IS NULL
    ) THEN cost_by_conversation.requests END), 0) AS per_request,
    any(cost_by_conversation.with_cost) AS with_cost,
    any(cost_by_conversation.live_total) AS live_total,
    any(cost_by_conversation.repeats) AS repeats
  FROM cost_by_conversation AS cost_by_conversation
  GROUP BY
    cost_by_conversation.machine_id,
    cost_by_conversation.model
)
SELECT
  models.machine_id AS machine_id,
  models.model AS model,
  trunc((
    models.cost_cents
  ) * 10000 + 0.5 * sign((
    models.cost_cents
  ))) / 10000 AS cost_cents,
  trunc(
    (
      models.cost_cents / nullIf(SUM(models.cost_cents) OVER (PARTITION BY models.machine_id), 0)
    ) * 10000 + 0.5 * sign((
      models.cost_cents / nullIf(SUM(models.cost_cents) OVER (PARTITION BY models.machine_id), 0)
    ))
  ) / 10000 AS share,
  accurateCastOrNull(models.requests, 'Int64') AS requests,
  trunc((
    models.per_request
  ) * 10000 + 0.5 * sign((
    models.per_request
  ))) / 10000 AS cents_per_request,
  models.conversations AS conversations,
  models.cost_known AS cost_known,
  models.with_cost AS with_cost,
  models.live_total AS live_total,
  models.repeats AS repeats
FROM models AS models
SETTINGS join_use_nulls = 1;
