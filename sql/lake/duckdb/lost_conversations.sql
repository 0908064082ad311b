-- Made by translate.py from sql/answers/27_lost_conversations.sql, sha256 667e9f2c1724b6fd771faf9962a61fd17ba96ee5c74c3eb0bac3490be1da1b88
-- Chats that Cursor does not show any more, and what is left of them; texts of messages have a text.
CREATE OR REPLACE TEMP VIEW lost_conversations AS
WITH lost AS (
  SELECT
    c.machine_id AS machine_id,
    c.source_id AS source_id,
    c.conversation_id AS conversation_id,
    c.display_title AS title,
    c.project_uri AS project_uri,
    c.project AS project,
    c.status AS status,
    c.deleted_at AS deleted_at,
    c.first_seen_at AS first_seen_at,
    c.last_activity_at AS last_activity_at,
    CASE
      WHEN NOT c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
      THEN 'deleted'
      WHEN NOT c.deleted_at IS NULL
      THEN 'headless'
      WHEN c.status = 'orphaned'
      THEN 'orphaned'
      ELSE 'unlisted'
    END AS how
  FROM all_conversations AS c
  ANTI JOIN (
    SELECT
      conversation_copies.machine_id AS machine_id,
      conversation_copies.source_id AS source_id,
      conversation_copies.conversation_id AS conversation_id,
      conversation_copies.primary_source_id AS primary_source_id,
      conversation_copies.is_primary AS is_primary,
      conversation_copies.copies AS copies,
      conversation_copies.primary_conversation_id AS primary_conversation_id
    FROM conversation_copies AS conversation_copies
    WHERE
      NOT conversation_copies.is_primary
  ) AS k
    ON k.machine_id = c.machine_id AND (
      k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    )
  WHERE
    NOT c.deleted_at IS NULL OR c.status = 'orphaned' OR (
      c.header_count = 0 AND c.message_count > 0 AND c.format IN ('rows', 'map')
    )
), left_over AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    COUNT(*) AS messages,
    COUNT(*) FILTER(WHERE
      m.deleted_at IS NULL) AS in_store,
    COUNT(*) FILTER(WHERE
      m.role = 'user' AND NOT m.is_simulated IS TRUE) AS prompts,
    COUNT(m.text) AS texts,
    COUNT(*) FILTER(WHERE
      m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS times_known,
    MAX(m.created_at) FILTER(WHERE
      m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS last_message_at
  FROM messages AS m
  SEMI JOIN lost AS l
    ON l.machine_id = m.machine_id AND (
      l.source_id = m.source_id AND l.conversation_id = m.conversation_id
    )
  GROUP BY
    m.machine_id,
    m.source_id,
    m.conversation_id
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    COUNT(*) AS calls
  FROM tool_calls AS t
  SEMI JOIN lost AS l
    ON l.machine_id = t.machine_id AND (
      l.source_id = t.source_id AND l.conversation_id = t.conversation_id
    )
  GROUP BY
    t.machine_id,
    t.source_id,
    t.conversation_id
)
SELECT
  l.machine_id AS machine_id,
  l.how AS how,
  l.source_id AS source_id,
  l.conversation_id AS conversation_id,
  l.title AS title,
  l.project_uri AS project_uri,
  l.project AS project,
  x.messages AS messages,
  x.in_store AS in_store,
  x.prompts AS prompts,
  COALESCE(t.calls, 0) AS tool_calls,
  x.texts AS texts,
  x.times_known AS times_known,
  x.last_message_at AS last_message_at,
  l.last_activity_at AS last_activity_at,
  l.first_seen_at AS first_seen_at,
  l.deleted_at AS deleted_at
FROM lost AS l
JOIN left_over AS x
  ON x.machine_id = l.machine_id AND (
    x.source_id = l.source_id AND x.conversation_id = l.conversation_id
  )
LEFT JOIN calls AS t
  ON t.machine_id = l.machine_id AND (
    t.source_id = l.source_id AND t.conversation_id = l.conversation_id
  );
