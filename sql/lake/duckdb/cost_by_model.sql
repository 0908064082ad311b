-- Made by translate.py from sql/answers/05_cost_by_model.sql, sha256 e4a630e9b324bfb1d719cada91f3ee5438796302ffe519b7a384ca01dd4478d9
-- Cost and requests per model; cost_known of its conversations record it, with_cost of live_total conversations any cost.
CREATE OR REPLACE TEMP VIEW cost_by_model AS
WITH models AS (
  SELECT
    cost_by_conversation.machine_id AS machine_id,
    cost_by_conversation.model AS model,
    SUM(cost_by_conversation.cost_cents) AS cost_cents,
    SUM(cost_by_conversation.requests) AS requests,
    COUNT(*) AS conversations,
    COUNT(cost_by_conversation.cost_cents) AS cost_known,
    SUM(cost_by_conversation.cost_cents) FILTER(WHERE
      NOT cost_by_conversation.requests IS NULL) / NULLIF(SUM(cost_by_conversation.requests) FILTER(WHERE
      NOT cost_by_conversation.cost_cents IS NULL), 0) AS per_request,
    ANY_VALUE(cost_by_conversation.with_cost) AS with_cost,
    ANY_VALUE(cost_by_conversation.live_total) AS live_total,
    ANY_VALUE(cost_by_conversation.repeats) AS repeats
  FROM cost_by_conversation AS cost_by_conversation
  GROUP BY
    cost_by_conversation.machine_id,
    cost_by_conversation.model
)
SELECT
  models.machine_id AS machine_id,
  models.model AS model,
  ROUND(models.cost_cents, 4) AS cost_cents,
  ROUND(models.cost_cents / NULLIF(SUM(models.cost_cents) OVER (PARTITION BY models.machine_id), 0), 4) AS share,
  TRY_CAST(models.requests AS BIGINT) AS requests,
  ROUND(models.per_request, 4) AS cents_per_request,
  models.conversations AS conversations,
  models.cost_known AS cost_known,
  models.with_cost AS with_cost,
  models.live_total AS live_total,
  models.repeats AS repeats
FROM models AS models;
