-- Made by translate.py from sql/answers/23_attachments_effect.sql, sha256 10a32eac966b166b770ad6ea7a472a1475e0ba13368e42bbaa5b9e8ecf37cb99
-- How turns with each kind of attachment go, beside turns without any (correlation only); placed of attachments were given with a prompt.
CREATE OR REPLACE VIEW attachments_effect AS
WITH listed AS (
  SELECT
    live_messages.machine_id AS machine_id,
    live_messages.source_id AS source_id,
    live_messages.conversation_id AS conversation_id,
    live_messages.message_id AS message_id,
    live_messages.turn AS turn,
    CASE WHEN live_messages.is_simulated THEN 'unknown' ELSE live_messages.role END AS role
  FROM live_messages AS live_messages
  WHERE
    live_messages.is_listed AND live_messages.turn > 0 AND NOT live_messages.is_repeat
), deleted AS (
  SELECT
    messages.machine_id AS machine_id,
    messages.source_id AS source_id,
    messages.conversation_id AS conversation_id,
    messages.message_id AS message_id
  FROM messages AS messages
  WHERE
    NOT (
      messages.deleted_at IS NULL
    )
), given AS (
  SELECT
    a.machine_id AS machine_id,
    a.source_id AS source_id,
    a.conversation_id AS conversation_id,
    a.message_id AS message_id,
    a.kind AS kind,
    CAST(COUNT(*) AS Nullable(Int64)) AS attachments
  FROM attachments AS a
  SEMI JOIN live_conversations AS c
    ON c.machine_id = a.machine_id AND (
      c.source_id = a.source_id AND c.conversation_id = a.conversation_id
    )
  ANTI JOIN deleted AS d
    ON d.machine_id = a.machine_id AND (
      d.source_id = a.source_id AND d.conversation_id = a.conversation_id AND d.message_id = a.message_id
    )
  GROUP BY
    a.machine_id,
    a.source_id,
    a.conversation_id,
    a.message_id,
    a.kind
), kinds AS (
  SELECT
    g.machine_id AS machine_id,
    g.kind AS kind,
    p.source_id AS source_id,
    p.conversation_id AS conversation_id,
    p.turn AS turn,
    g.attachments AS attachments
  FROM given AS g
  JOIN listed AS p
    ON p.machine_id = g.machine_id
    AND (
      p.source_id = g.source_id AND p.conversation_id = g.conversation_id AND p.message_id = g.message_id AND p.role = 'user'
    )
), turns AS (
  SELECT
    listed.machine_id AS machine_id,
    listed.source_id AS source_id,
    listed.conversation_id AS conversation_id,
    listed.turn AS turn,
    CAST(COUNT(CASE WHEN listed.role = 'assistant' THEN 1 END) AS Nullable(Int64)) AS answers
  FROM listed AS listed
  GROUP BY
    listed.machine_id,
    listed.source_id,
    listed.conversation_id,
    listed.turn
  HAVING
    CAST(COUNT(CASE WHEN listed.role = 'user' THEN 1 END) AS Nullable(Int64)) > 0
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    m.turn AS turn,
    CAST(COUNT(*) AS Nullable(Int64)) AS calls,
    CAST(COUNT(t.is_error) AS Nullable(Int64)) AS known,
    CAST(COUNT(CASE WHEN t.is_error THEN 1 END) AS Nullable(Int64)) AS failed
  FROM live_tool_calls AS t
  JOIN listed AS m
    ON m.machine_id = t.machine_id AND (
      m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
    )
  GROUP BY
    t.machine_id,
    t.source_id,
    t.conversation_id,
    m.turn
), edits AS (
  SELECT
    e.machine_id AS machine_id,
    e.source_id AS source_id,
    e.conversation_id AS conversation_id,
    m.turn AS turn,
    CAST(COUNT(*) AS Nullable(Int64)) AS edits,
    CAST(COUNT(e.is_accepted) AS Nullable(Int64)) AS decided,
    CAST(COUNT(CASE WHEN e.is_accepted THEN 1 END) AS Nullable(Int64)) AS accepted
  FROM code_edits AS e
  JOIN listed AS m
    ON m.machine_id = e.machine_id AND (
      m.source_id = e.source_id AND m.conversation_id = e.conversation_id AND m.message_id = e.message_id
    )
  WHERE
    e.deleted_at IS NULL
  GROUP BY
    e.machine_id,
    e.source_id,
    e.conversation_id,
    m.turn
), told AS (
  SELECT
    x.machine_id AS machine_id,
    x.source_id AS source_id,
    x.conversation_id AS conversation_id,
    x.turn AS turn,
    x.answers AS answers,
    t.calls AS calls,
    t.known AS known,
    t.failed AS failed,
    e.edits AS edits,
    e.decided AS decided,
    e.accepted AS accepted
  FROM turns AS x
  LEFT JOIN calls AS t
    ON t.machine_id = x.machine_id AND (
      t.source_id = x.source_id AND t.conversation_id = x.conversation_id AND t.turn = x.turn
    )
  LEFT JOIN edits AS e
    ON e.machine_id = x.machine_id AND (
      e.source_id = x.source_id AND e.conversation_id = x.conversation_id AND e.turn = x.turn
    )
), figures AS (
  SELECT
    x.machine_id AS machine_id,
    COALESCE(k.kind, '(none)') AS kind,
    CAST(COUNT(*) AS Nullable(Int64)) AS turns,
    CAST(COUNT(CASE WHEN x.answers > 0 THEN 1 END) AS Nullable(Int64)) AS answered,
    SUM(x.answers) AS answers,
    SUM(x.calls) AS calls,
    SUM(x.known) AS known,
    SUM(x.failed) AS failed,
    SUM(x.edits) AS edits,
    SUM(x.decided) AS decided,
    SUM(x.accepted) AS accepted,
    SUM(k.attachments) AS placed
  FROM told AS x
  LEFT JOIN kinds AS k
    ON k.machine_id = x.machine_id AND (
      k.source_id = x.source_id AND k.conversation_id = x.conversation_id AND k.turn = x.turn
    )
  GROUP BY
    x.machine_id,
    COALESCE(k.kind, '(none)')
), totals AS (
  SELECT
    given.machine_id AS machine_id,
    given.kind AS kind,
    SUM(given.attachments) AS attachments
  FROM given AS given
  GROUP BY
    given.machine_id,
    given.kind
)
SELECT
  COALESCE(f.machine_id, n.machine_id) AS machine_id,
  COALESCE(f.kind, n.kind) AS kind,
  COALESCE(f.turns, 0) AS turns,
  trunc((
    f.answered / f.turns
  ) * 10000 + 0.5 * sign((
    f.answered / f.turns
  ))) / 10000 AS answered_rate,
  trunc((
    f.answers / f.turns
  ) * 10000 + 0.5 * sign((
    f.answers / f.turns
  ))) / 10000 AS answers_per_turn,
  accurateCastOrNull(COALESCE(f.calls, 0), 'Int64') AS tool_calls,
  trunc((
    COALESCE(f.calls, 0) / f.turns
  ) * 10000 + 0.5 * sign((
    COALESCE(f.calls, 0) / f.turns
  ))) / 10000 AS calls_per_turn,
  accurateCastOrNull(COALESCE(f.known, 0), 'Int64') AS outcome_known,
  accurateCastOrNull(COALESCE(f.failed, 0), 'Int64') AS failed,
  trunc((
    f.failed / nullIf(f.known, 0)
  ) * 10000 + 0.5 * sign((
    f.failed / nullIf(f.known, 0)
  ))) / 10000 AS failure_rate,
  accurateCastOrNull(COALESCE(f.edits, 0), 'Int64') AS edits,
  accurateCastOrNull(COALESCE(f.decided, 0), 'Int64') AS decided,
  accurateCastOrNull(COALESCE(f.accepted, 0), 'Int64') AS accepted,
  trunc((
    f.accepted / nullIf(f.decided, 0)
  ) * 10000 + 0.5 * sign((
    f.accepted / nullIf(f.decided, 0)
  ))) / 10000 AS acceptance_rate,
  accurateCastOrNull(COALESCE(f.placed, 0), 'Int64') AS placed,
  accurateCastOrNull(COALESCE(n.attachments, 0), 'Int64') AS attachments
FROM figures AS f
FULL JOIN totals AS n
  ON n.machine_id = f.machine_id AND n.kind = f.kind
SETTINGS join_use_nulls = 1;
