-- Made by translate.py from sql/answers/07_context_pressure.sql, sha256 62d3e90af9726f49bde888b8ba67a8236afa7fee73d20f905e41c4c548c8d7a8
-- Conversations whose context reached 80 % of its window and what followed; with_context of live_total conversations record it.
CREATE OR REPLACE TEMP VIEW context_pressure AS
WITH known AS (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows._is_row) AS live_total,
    COUNT(_rows._is_row) FILTER(WHERE
      _rows.context_token_limit > 0 AND NOT _rows.context_tokens_used IS NULL) AS with_context
  FROM _machines
  LEFT JOIN (
    SELECT
      live_conversations.machine_id AS machine_id,
      live_conversations.context_token_limit AS context_token_limit,
      live_conversations.context_tokens_used AS context_tokens_used,
      1 AS _is_row
    FROM live_conversations AS live_conversations
    WHERE
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
), recorded AS (
  SELECT
    messages.machine_id AS machine_id,
    messages.source_id AS source_id,
    messages.conversation_id AS conversation_id,
    messages.position AS position,
    messages.context_tokens_used AS context_tokens_used,
    CASE WHEN messages.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN messages.created_at END AS sent_at
  FROM messages AS messages
  WHERE
    NOT messages.context_tokens_used IS NULL AND messages.deleted_at IS NULL
), fullest AS (
  SELECT
    recorded.machine_id AS machine_id,
    recorded.source_id AS source_id,
    recorded.conversation_id AS conversation_id,
    COUNT(*) AS with_message_context,
    MAX(recorded.context_tokens_used) AS tokens,
    ARG_MIN({'position': recorded.position, 'sent_at': recorded.sent_at}, (-CAST(recorded.context_tokens_used AS INT128), recorded.position)) AS message
  FROM recorded AS recorded
  GROUP BY
    recorded.machine_id,
    recorded.source_id,
    recorded.conversation_id
), pressed AS (
  SELECT
    c.machine_id AS machine_id,
    c.source_id AS source_id,
    c.conversation_id AS conversation_id,
    c.display_title AS title,
    c.project AS project,
    c.project_uri AS project_uri,
    c.model AS model,
    c.message_count AS message_count,
    NOT c.summary IS NULL AS has_own_summary,
    c.context_token_limit AS token_limit,
    GREATEST(c.context_tokens_used, f.tokens) AS tokens_used,
    COALESCE(f.tokens >= GREATEST(c.context_tokens_used, f.tokens), FALSE) AS in_message,
    CASE WHEN COALESCE(f.tokens >= GREATEST(c.context_tokens_used, f.tokens), FALSE) THEN f.message.position END AS fullest_position,
    CASE WHEN COALESCE(f.tokens >= GREATEST(c.context_tokens_used, f.tokens), FALSE) THEN f.message.sent_at ELSE c.last_message_at END AS fullest_at,
    COALESCE(f.with_message_context, 0) AS with_message_context
  FROM live_conversations AS c
  LEFT JOIN fullest AS f
    ON f.machine_id = c.machine_id AND (
      f.source_id = c.source_id AND f.conversation_id = c.conversation_id
    )
  WHERE
    (
      c.message_count > 0 OR c.missing_message_count > 0
    )
    AND c.context_token_limit > 0
    AND CAST(GREATEST(c.context_tokens_used, f.tokens) AS INT128) * 100 >= CAST(c.context_token_limit AS INT128) * 80
), followed AS (
  SELECT
    m.machine_id AS machine_id,
    p.source_id AS source_id,
    p.conversation_id AS conversation_id,
    COUNT(*) FILTER(WHERE
      m.position > p.fullest_position) AS later_messages,
    COUNT(*) FILTER(WHERE
      m.position >= p.fullest_position AND (
        NOT m.summary IS NULL OR m.kind = 'compaction'
      )) AS later_summaries,
    MIN(m.context_tokens_used) FILTER(WHERE
      m.position > p.fullest_position) AS later_tokens_min,
    BOOL_OR(NOT m.summary IS NULL OR m.kind = 'compaction') AS has_summary
  FROM messages AS m
  JOIN pressed AS p
    ON p.machine_id = m.machine_id AND (
      p.source_id = m.source_id AND p.conversation_id = m.conversation_id
    )
  WHERE
    m.deleted_at IS NULL
  GROUP BY
    m.machine_id,
    p.source_id,
    p.conversation_id
), starts AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.source_id AS source_id,
    live_conversations.project_uri AS project_uri,
    live_conversations.conversation_id AS conversation_id,
    live_conversations.display_title AS title,
    EPOCH_MS(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at)) AS start_ms
  FROM live_conversations AS live_conversations
  WHERE
    NOT live_conversations.is_subagent AND (
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    )
), begun AS (
  SELECT
    p.machine_id AS machine_id,
    p.source_id AS source_id,
    p.conversation_id AS conversation_id,
    ARG_MIN({'id': n.conversation_id, 'title': n.title, 'after_ms': n.start_ms - EPOCH_MS(p.fullest_at)}, (n.start_ms, n.conversation_id)) AS next
  FROM pressed AS p
  JOIN starts AS n
    ON n.machine_id = p.machine_id
    AND (
      n.source_id = p.source_id
      AND n.project_uri = p.project_uri
      AND n.conversation_id <> p.conversation_id
      AND n.start_ms > EPOCH_MS(p.fullest_at)
      AND n.start_ms <= EPOCH_MS(p.fullest_at) + 1800000
    )
  GROUP BY
    p.machine_id,
    p.source_id,
    p.conversation_id
)
SELECT
  p.machine_id AS machine_id,
  p.source_id AS source_id,
  p.conversation_id AS conversation_id,
  p.title AS title,
  p.project AS project,
  p.project_uri AS project_uri,
  p.model AS model,
  CASE WHEN CAST(p.tokens_used AS INT128) * 100 >= CAST(p.token_limit AS INT128) * 95 THEN 'full' ELSE 'near' END AS level,
  p.tokens_used AS tokens_used,
  p.token_limit AS token_limit,
  ROUND(p.tokens_used / p.token_limit, 4) AS share,
  CASE WHEN p.in_message THEN 'message' ELSE 'last turn' END AS fullest_in,
  p.fullest_position AS fullest_position,
  p.fullest_at AS fullest_at,
  COALESCE(f.later_messages, 0) AS later_messages,
  f.later_tokens_min AS later_tokens_min,
  COALESCE(f.later_summaries, 0) AS later_summaries,
  p.has_own_summary OR COALESCE(f.has_summary, FALSE) AS has_summary,
  b.next.id AS next_conversation_id,
  b.next.title AS next_title,
  b.next.after_ms AS next_after_ms,
  CASE
    WHEN f.later_summaries > 0
    THEN 'summarised'
    WHEN f.later_messages > 0
    THEN 'went on'
    WHEN NOT b.next IS NULL
    THEN 'new conversation'
    WHEN p.fullest_at IS NULL OR p.project_uri IS NULL
    THEN 'unknown'
    ELSE 'ended'
  END AS what_next,
  p.with_message_context AS with_message_context,
  p.message_count AS messages,
  k.with_context AS with_context,
  k.live_total AS live_total
FROM pressed AS p
JOIN known AS k
  ON k.machine_id = p.machine_id
LEFT JOIN followed AS f
  ON f.machine_id = p.machine_id AND (
    f.source_id = p.source_id AND f.conversation_id = p.conversation_id
  )
LEFT JOIN begun AS b
  ON b.machine_id = p.machine_id AND (
    b.source_id = p.source_id AND b.conversation_id = p.conversation_id
  );
