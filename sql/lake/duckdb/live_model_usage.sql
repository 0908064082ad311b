-- Made by translate.py from sql/views/02_live_model_usage.sql, sha256 46bc3777a8a1936edcc167cbc69b0c15017c9294ea76d62ff753de65c9276955
-- Cost per live conversation and model where an old store recorded it; is_repeat: a fork has it from the conversation that it came from.
CREATE OR REPLACE TEMP VIEW live_model_usage AS
SELECT
  u.machine_id AS machine_id,
  u.source_id AS source_id,
  u.conversation_id AS conversation_id,
  u.model AS model,
  u.cost_cents AS cost_cents,
  u.requests AS requests,
  u.deleted_at AS deleted_at,
  NOT o.conversation_id IS NULL AS is_repeat
FROM model_usage AS u
JOIN live_conversations AS c
  ON c.machine_id = u.machine_id AND (
    c.source_id = u.source_id AND c.conversation_id = u.conversation_id
  )
LEFT JOIN (
  SELECT DISTINCT
    model_usage.machine_id AS machine_id,
    model_usage.conversation_id AS conversation_id,
    model_usage.model AS model,
    model_usage.cost_cents AS cost_cents,
    model_usage.requests AS requests
  FROM model_usage AS model_usage
  WHERE
    model_usage.deleted_at IS NULL
) AS o
  ON o.machine_id = u.machine_id
  AND (
    o.conversation_id = c.forked_from
    AND o.model = u.model
    AND o.cost_cents IS NOT DISTINCT FROM u.cost_cents
    AND o.requests IS NOT DISTINCT FROM u.requests
  )
WHERE
  u.deleted_at IS NULL;
