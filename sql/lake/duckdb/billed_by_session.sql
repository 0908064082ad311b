-- Made by translate.py from sql/answers/28_billed_by_session.sql, sha256 bbb20b5f382a182c1ed72473d70ea4e21a14687e7a2f09c85965da5cdb02a257
-- Tokens and cost that Cursor counted, per session. Estimates stand apart.
CREATE OR REPLACE TEMP VIEW billed_by_session AS
WITH used AS (
  SELECT
    all_usage.machine_id AS machine_id,
    all_usage.session_id AS session_id,
    ARG_MIN(all_usage.title, (all_usage.occurred_at, all_usage.conversation_id)) AS title,
    ROUND(SUM(all_usage.cost_cents), 4) AS cost_cents,
    ROUND(SUM(all_usage.charged_cents), 4) AS charged_cents,
    ROUND(
      SUM(all_usage.cache_read_tokens) FILTER(WHERE
        NOT all_usage.fresh_input_tokens IS NULL AND NOT all_usage.cache_write_tokens IS NULL) / NULLIF(SUM(CAST(all_usage.fresh_input_tokens AS DOUBLE) + all_usage.cache_write_tokens + all_usage.cache_read_tokens), 0),
      4
    ) AS cache_share,
    TRY_CAST(SUM(all_usage.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
    TRY_CAST(SUM(all_usage.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
    TRY_CAST(SUM(all_usage.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
    TRY_CAST(SUM(all_usage.output_tokens) AS BIGINT) AS output_tokens,
    TRY_CAST(SUM(all_usage.estimated_input_tokens) AS BIGINT) AS estimated_input_tokens,
    TRY_CAST(SUM(all_usage.estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
    COUNT(DISTINCT all_usage.conversation_id) AS conversations,
    LISTAGG(DISTINCT all_usage.model, ', '
    ORDER BY
      all_usage.model) AS models,
    COUNT(all_usage.estimated_cost_cents) AS estimated_with_cost,
    COUNT(COALESCE(all_usage.fresh_input_tokens, all_usage.output_tokens)) AS with_tokens,
    COUNT(all_usage.event_id) AS events,
    COUNT(all_usage.cost_cents) AS with_cost,
    COUNT(all_usage.estimate_method) AS estimated_turns,
    ROUND(SUM(all_usage.estimated_cost_cents), 4) AS estimated_cost_cents
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
  ROUND(u.cost_cents * 3600000 / NULLIF(s.duration_ms, 0), 4) AS cents_per_hour,
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
  ON s.machine_id = u.machine_id AND s.session_id = u.session_id;
