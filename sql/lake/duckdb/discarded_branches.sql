-- Made by translate.py from sql/answers/19_discarded_branches.sql, sha256 f37cb426efb4e70f0f6fc24fe372ea036e861c680c07a9be7fad4a7b3834974d
-- Messages left behind when a prompt was edited and sent again, and forks; requests_known of prompts have a request_id.
CREATE OR REPLACE TEMP VIEW discarded_branches AS
WITH requests AS (
  SELECT DISTINCT
    live_messages.machine_id AS machine_id,
    live_messages.source_id AS source_id,
    live_messages.request_id AS request_id,
    live_messages.conversation_id AS conversation_id
  FROM live_messages AS live_messages
  WHERE
    NOT live_messages.request_id IS NULL AND live_messages.role = 'user' AND NOT live_messages.is_simulated IS TRUE
), shared AS (
  SELECT
    requests.machine_id AS machine_id,
    requests.source_id AS source_id,
    requests.request_id AS request_id,
    ARRAY_AGG(requests.conversation_id) AS holders
  FROM requests AS requests
  GROUP BY
    requests.machine_id,
    requests.source_id,
    requests.request_id
  HAVING
    COUNT(*) > 1
), forks AS (
  SELECT
    _0.machine_id AS machine_id,
    _0.source_id AS source_id,
    _0.conversation_id AS conversation_id,
    COUNT(DISTINCT _0.request_id) AS shared_requests,
    COUNT(DISTINCT _0.other_id) AS other_conversations
  FROM (
    SELECT
      r.machine_id AS machine_id,
      r.source_id AS source_id,
      r.conversation_id AS conversation_id,
      s.request_id AS request_id,
      UNNEST(s.holders) AS other_id
    FROM requests AS r
    JOIN shared AS s
      ON s.machine_id = r.machine_id AND (
        s.source_id = r.source_id AND s.request_id = r.request_id
      )
  ) AS _0
  WHERE
    _0.other_id <> _0.conversation_id
  GROUP BY
    _0.machine_id,
    _0.source_id,
    _0.conversation_id
), prompts AS (
  SELECT
    live_messages.machine_id AS machine_id,
    live_messages.source_id AS source_id,
    live_messages.conversation_id AS conversation_id,
    COUNT(*) AS prompts,
    COUNT(live_messages.request_id) AS requests_known
  FROM live_messages AS live_messages
  WHERE
    live_messages.role = 'user' AND NOT live_messages.is_simulated IS TRUE
  GROUP BY
    live_messages.machine_id,
    live_messages.source_id,
    live_messages.conversation_id
), repeated AS (
  SELECT
    live_messages.machine_id AS machine_id,
    live_messages.source_id AS source_id,
    live_messages.conversation_id AS conversation_id,
    COUNT(*) AS repeats
  FROM live_messages AS live_messages
  WHERE
    live_messages.is_repeat
  GROUP BY
    live_messages.machine_id,
    live_messages.source_id,
    live_messages.conversation_id
), unlisted AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    m.message_id AS message_id,
    m.role = 'user' AND NOT m.is_simulated IS TRUE AS is_prompt
  FROM live_messages AS m
  JOIN live_conversations AS c
    ON c.machine_id = m.machine_id AND (
      c.source_id = m.source_id AND c.conversation_id = m.conversation_id AND c.header_count > 0
    )
  WHERE
    NOT m.is_listed
), discarded AS (
  SELECT
    unlisted.machine_id AS machine_id,
    unlisted.source_id AS source_id,
    unlisted.conversation_id AS conversation_id,
    COUNT(*) AS messages,
    COUNT(*) FILTER(WHERE
      unlisted.is_prompt) AS prompts
  FROM unlisted AS unlisted
  GROUP BY
    unlisted.machine_id,
    unlisted.source_id,
    unlisted.conversation_id
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    COUNT(*) AS calls,
    COUNT(*) FILTER(WHERE
      t.tool_kind = 'edit') AS edits,
    COUNT(*) FILTER(WHERE
      t.tool_kind = 'edit' AND (
        NOT t.lines_added IS NULL OR NOT t.lines_removed IS NULL
      )) AS lines_known,
    TRY_CAST(SUM(t.lines_added) FILTER(WHERE
      t.tool_kind = 'edit') AS BIGINT) AS lines_added,
    TRY_CAST(SUM(t.lines_removed) FILTER(WHERE
      t.tool_kind = 'edit') AS BIGINT) AS lines_removed
  FROM live_tool_calls AS t
  SEMI JOIN unlisted AS u
    ON u.machine_id = t.machine_id AND (
      u.source_id = t.source_id AND u.conversation_id = t.conversation_id AND u.message_id = t.message_id
    )
  GROUP BY
    t.machine_id,
    t.source_id,
    t.conversation_id
)
SELECT
  c.machine_id AS machine_id,
  c.source_id AS source_id,
  c.conversation_id AS conversation_id,
  c.display_title AS title,
  c.project AS project,
  c.message_count AS message_count,
  COALESCE(d.messages, 0) AS discarded_messages,
  ROUND(COALESCE(d.messages, 0) / NULLIF(c.message_count, 0), 4) AS discarded_share,
  COALESCE(d.prompts, 0) AS discarded_prompts,
  COALESCE(t.calls, 0) AS discarded_tool_calls,
  COALESCE(t.edits, 0) AS discarded_edits,
  COALESCE(t.lines_known, 0) AS lines_known,
  t.lines_added AS discarded_lines_added,
  t.lines_removed AS discarded_lines_removed,
  COALESCE(f.shared_requests, 0) AS shared_requests,
  COALESCE(f.other_conversations, 0) AS other_conversations,
  c.forked_from AS fork_of,
  COALESCE(r.repeats, 0) AS repeats,
  COALESCE(p.prompts, 0) AS prompts,
  COALESCE(p.requests_known, 0) AS requests_known
FROM live_conversations AS c
LEFT JOIN discarded AS d
  ON d.machine_id = c.machine_id AND (
    d.source_id = c.source_id AND d.conversation_id = c.conversation_id
  )
LEFT JOIN calls AS t
  ON t.machine_id = c.machine_id AND (
    t.source_id = c.source_id AND t.conversation_id = c.conversation_id
  )
LEFT JOIN forks AS f
  ON f.machine_id = c.machine_id AND (
    f.source_id = c.source_id AND f.conversation_id = c.conversation_id
  )
LEFT JOIN repeated AS r
  ON r.machine_id = c.machine_id AND (
    r.source_id = c.source_id AND r.conversation_id = c.conversation_id
  )
LEFT JOIN prompts AS p
  ON p.machine_id = c.machine_id AND (
    p.source_id = c.source_id AND p.conversation_id = c.conversation_id
  )
WHERE
  d.messages > 0 OR f.shared_requests > 0 OR NOT c.forked_from IS NULL;
