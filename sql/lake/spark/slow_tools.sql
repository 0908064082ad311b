-- Made by translate.py from sql/answers/10_slow_tools.sql, sha256 604c180c2d99225ae338c798d3edab141ede19971da3bc99cb973324953bfc24
-- Durations per tool and its slowest call; duration_known of calls have a recorded duration.
CREATE OR REPLACE TEMPORARY VIEW slow_tools AS
WITH calls AS (
  SELECT
    live_tool_calls.machine_id AS machine_id,
    COALESCE(live_tool_calls.tool, '(unnamed)') AS tool,
    live_tool_calls.tool_kind AS tool_kind,
    live_tool_calls.source_id AS source_id,
    live_tool_calls.conversation_id AS conversation_id,
    live_tool_calls.message_id AS message_id,
    live_tool_calls.call_index AS call_index,
    live_tool_calls.started_at AS started_at,
    live_tool_calls.duration_ms AS duration_ms,
    live_tool_calls.is_repeat AS is_repeat
  FROM live_tool_calls AS live_tool_calls
), slowest AS (
  SELECT
    machine_id,
    tool,
    tool_kind,
    source_id,
    conversation_id,
    message_id,
    started_at
  FROM (
    SELECT
      calls.machine_id AS machine_id,
      calls.tool AS tool,
      calls.tool_kind AS tool_kind,
      calls.source_id AS source_id,
      calls.conversation_id AS conversation_id,
      calls.message_id AS message_id,
      calls.started_at AS started_at,
      ROW_NUMBER() OVER (
        PARTITION BY calls.machine_id, calls.tool, calls.tool_kind
        ORDER BY calls.duration_ms DESC, calls.started_at NULLS LAST, calls.source_id NULLS LAST, calls.conversation_id NULLS LAST, calls.message_id NULLS LAST, calls.call_index NULLS LAST
      ) AS _w
    FROM calls AS calls
    WHERE
      NOT calls.duration_ms IS NULL AND NOT calls.is_repeat
  ) AS _t
  WHERE
    _w = 1
), figures AS (
  SELECT
    calls.machine_id AS machine_id,
    calls.tool AS tool,
    calls.tool_kind AS tool_kind,
    COUNT(CASE WHEN NOT calls.is_repeat THEN 1 END) AS calls,
    COUNT(CASE WHEN NOT calls.is_repeat THEN calls.duration_ms END) AS duration_known,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY
      CASE WHEN NOT calls.is_repeat THEN calls.duration_ms END) AS p50_ms,
    percentile_disc(0.95) WITHIN GROUP (ORDER BY
      CASE WHEN NOT calls.is_repeat THEN calls.duration_ms END) AS p95_ms,
    MAX(CASE WHEN NOT calls.is_repeat THEN calls.duration_ms END) AS max_ms,
    TRY_CAST(SUM(CASE WHEN NOT calls.is_repeat THEN calls.duration_ms END) AS BIGINT) AS total_ms,
    COUNT(CASE WHEN calls.is_repeat THEN 1 END) AS repeats
  FROM calls AS calls
  GROUP BY
    calls.machine_id,
    calls.tool,
    calls.tool_kind
)
SELECT
  f.machine_id AS machine_id,
  f.tool AS tool,
  f.tool_kind AS tool_kind,
  f.calls AS calls,
  f.duration_known AS duration_known,
  f.p50_ms AS p50_ms,
  f.p95_ms AS p95_ms,
  f.max_ms AS max_ms,
  f.total_ms AS total_ms,
  s.started_at AS slowest_at,
  c.project AS slowest_project,
  c.display_title AS slowest_title,
  s.source_id AS slowest_source_id,
  s.conversation_id AS slowest_conversation_id,
  s.message_id AS slowest_message_id,
  f.repeats AS repeats
FROM figures AS f
LEFT JOIN slowest AS s
  ON s.machine_id = f.machine_id AND (
    s.tool = f.tool AND s.tool_kind = f.tool_kind
  )
LEFT JOIN live_conversations AS c
  ON c.machine_id = f.machine_id AND (
    c.source_id = s.source_id AND c.conversation_id = s.conversation_id
  );
