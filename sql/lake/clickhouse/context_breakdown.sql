-- Made by translate.py from sql/answers/06_context_breakdown.sql, sha256 812cf7e257fb8537822ee631db86e40e59bd49fad31628563d9ef31f1b8f1bf8
-- Tokens of each part of the prompt; with_breakdown of live_total live conversations record a breakdown.
CREATE OR REPLACE VIEW context_breakdown AS
WITH parts AS (
  SELECT
    p.machine_id AS machine_id,
    p.source_id AS source_id,
    p.conversation_id AS conversation_id,
    p.part AS part,
    p.label AS label,
    p.tokens AS tokens,
    c.context_token_limit AS context_token_limit
  FROM context_parts AS p
  JOIN live_conversations AS c
    ON c.machine_id = p.machine_id AND (
      c.source_id = p.source_id AND c.conversation_id = p.conversation_id
    )
  WHERE
    p.deleted_at IS NULL
), known AS (
  SELECT
    _machines.machine_id AS machine_id,
    _value0.value AS with_breakdown,
    _value1.value AS live_total
  FROM _machines
  JOIN (
    SELECT
      _machines.machine_id AS machine_id,
      CAST(COUNT(DISTINCT (_rows.source_id, _rows.conversation_id)) AS Nullable(Int64)) AS value
    FROM _machines
    LEFT JOIN (
      SELECT
        parts.machine_id AS machine_id,
        parts.source_id AS source_id,
        parts.conversation_id AS conversation_id,
        1 AS _is_row
      FROM parts AS parts
    ) AS _rows
      ON _rows.machine_id = _machines.machine_id
    GROUP BY
      _machines.machine_id
  ) AS _value0
    ON _value0.machine_id = _machines.machine_id
  JOIN (
    SELECT
      _machines.machine_id AS machine_id,
      CAST(COUNT(_rows._is_row) AS Nullable(Int64)) AS value
    FROM _machines
    LEFT JOIN (
      SELECT
        live_conversations.machine_id AS machine_id,
        1 AS _is_row
      FROM live_conversations AS live_conversations
      WHERE
        live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    ) AS _rows
      ON _rows.machine_id = _machines.machine_id
    GROUP BY
      _machines.machine_id
  ) AS _value1
    ON _value1.machine_id = _machines.machine_id
), grouped AS (
  SELECT
    parts.machine_id AS machine_id,
    parts.part AS part,
    MIN(parts.label) AS label,
    CAST(COUNT(*) AS Nullable(Int64)) AS conversations,
    CAST(COUNT(parts.tokens) AS Nullable(Int64)) AS tokens_known,
    AVG(parts.tokens) AS average,
    arrayElementOrNull(arraySort(groupArray(parts.tokens)), greatest(intDiv(CAST(count(parts.tokens) AS Nullable(Int64)) * 50 + 99, 100), 1)) AS tokens_p50,
    arrayElementOrNull(arraySort(groupArray(parts.tokens)), greatest(intDiv(CAST(count(parts.tokens) AS Nullable(Int64)) * 95 + 99, 100), 1)) AS tokens_p95,
    MAX(parts.tokens) AS tokens_max,
    SUM(parts.tokens) AS tokens,
    SUM(CASE WHEN parts.context_token_limit > 0 THEN parts.tokens END) AS tokens_of_windows,
    SUM(CASE WHEN NOT (
      parts.tokens IS NULL
    ) AND parts.context_token_limit > 0 THEN parts.context_token_limit END) AS windows
  FROM parts AS parts
  GROUP BY
    parts.machine_id,
    parts.part
)
SELECT
  g.machine_id AS machine_id,
  g.part AS part,
  g.label AS label,
  g.conversations AS conversations,
  g.tokens_known AS tokens_known,
  accurateCastOrNull(trunc((
    g.average
  ) + 0.5 * sign((
    g.average
  ))), 'Int64') AS tokens_avg,
  g.tokens_p50 AS tokens_p50,
  g.tokens_p95 AS tokens_p95,
  g.tokens_max AS tokens_max,
  trunc(
    (
      g.tokens / nullIf(SUM(g.tokens) OVER (PARTITION BY g.machine_id), 0)
    ) * 10000 + 0.5 * sign((
      g.tokens / nullIf(SUM(g.tokens) OVER (PARTITION BY g.machine_id), 0)
    ))
  ) / 10000 AS share,
  trunc((
    g.tokens_of_windows / g.windows
  ) * 10000 + 0.5 * sign((
    g.tokens_of_windows / g.windows
  ))) / 10000 AS share_of_limit,
  k.with_breakdown AS with_breakdown,
  k.live_total AS live_total
FROM grouped AS g
JOIN known AS k
  ON k.machine_id = g.machine_id
SETTINGS join_use_nulls = 1;
