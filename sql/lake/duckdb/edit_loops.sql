-- Made by translate.py from sql/answers/17_edit_loops.sql, sha256 96d73fc2593f8354d26c8b24168503c5f243c473a533d1f383cb25347d3b562b
-- Loops of edit, error and edit of the same file, 3 rounds or more; outcome_known of calls have a recorded outcome.
CREATE OR REPLACE TEMP VIEW edit_loops AS
WITH shown AS MATERIALIZED (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.source_id AS source_id,
    live_conversations.conversation_id AS conversation_id,
    live_conversations.project_uri AS project_uri,
    live_conversations.project AS project,
    live_conversations.display_title AS title,
    live_conversations.header_count AS header_count,
    REPLACE(live_conversations.project_path, '\', '/') || '/' AS folder,
    ROW_NUMBER() OVER (PARTITION BY live_conversations.machine_id ORDER BY live_conversations.source_id, live_conversations.conversation_id) AS conversation_no
  FROM live_conversations AS live_conversations
  WHERE
    live_conversations.tool_call_count >= 4
), linted AS (
  SELECT DISTINCT
    attachments.machine_id AS machine_id,
    attachments.source_id AS source_id,
    attachments.conversation_id AS conversation_id,
    attachments.message_id AS message_id
  FROM attachments AS attachments
  WHERE
    attachments.kind = 'lint' AND NOT attachments.message_id IS NULL
), steps AS (
  SELECT
    tool_calls.machine_id AS machine_id,
    tool_calls.source_id AS source_id,
    tool_calls.conversation_id AS conversation_id,
    tool_calls.message_id AS message_id,
    tool_calls.call_index AS call_index,
    TRUE AS is_edit,
    tool_calls.is_error IS TRUE AS has_failed,
    REPLACE(tool_calls.file_path, '\', '/') AS whole,
    tool_calls.lines_added AS lines_added,
    tool_calls.lines_removed AS lines_removed
  FROM tool_calls AS tool_calls
  WHERE
    tool_calls.tool_kind = 'edit'
    AND NOT tool_calls.file_path IS NULL
    AND tool_calls.user_decision IS DISTINCT FROM 'rejected'
    AND tool_calls.deleted_at IS NULL
  UNION ALL
  SELECT
    tool_calls.machine_id AS machine_id,
    tool_calls.source_id AS source_id,
    tool_calls.conversation_id AS conversation_id,
    tool_calls.message_id AS message_id,
    tool_calls.call_index AS call_index,
    FALSE AS _col_4,
    TRUE AS _col_5,
    NULL AS _col_6,
    NULL AS _col_7,
    NULL AS _col_8
  FROM tool_calls AS tool_calls
  WHERE
    tool_calls.is_error AND (
      tool_calls.tool_kind <> 'edit' OR tool_calls.file_path IS NULL
    ) AND tool_calls.deleted_at IS NULL
  UNION ALL
  SELECT
    linted.machine_id AS machine_id,
    linted.source_id AS source_id,
    linted.conversation_id AS conversation_id,
    linted.message_id AS message_id,
    -1 AS _col_3,
    FALSE AS _col_4,
    TRUE AS _col_5,
    NULL AS _col_6,
    NULL AS _col_7,
    NULL AS _col_8
  FROM linted AS linted
  UNION ALL
  SELECT
    messages.machine_id AS machine_id,
    messages.source_id AS source_id,
    messages.conversation_id AS conversation_id,
    messages.message_id AS message_id,
    -2 AS _col_3,
    FALSE AS _col_4,
    TRUE AS _col_5,
    NULL AS _col_6,
    NULL AS _col_7,
    NULL AS _col_8
  FROM messages AS messages
  WHERE
    messages.kind = 'error'
), counted AS (
  SELECT
    s.machine_id AS machine_id,
    c.conversation_no AS conversation_no,
    m.position AS position,
    s.call_index AS call_index,
    s.is_edit AS is_edit,
    s.has_failed AS has_failed,
    s.whole AS whole,
    s.lines_added AS lines_added,
    s.lines_removed AS lines_removed,
    CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN m.created_at END AS real_at,
    COUNT(*) FILTER(WHERE
      s.has_failed) OVER (PARTITION BY s.machine_id, c.conversation_no ORDER BY m.position, s.call_index ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - TRY_CAST(s.has_failed AS BIGINT) AS errors_before
  FROM steps AS s
  JOIN messages AS m
    ON m.machine_id = s.machine_id AND (
      m.source_id = s.source_id AND m.conversation_id = s.conversation_id AND m.message_id = s.message_id
    )
  JOIN shown AS c
    ON c.machine_id = s.machine_id AND (
      c.source_id = s.source_id AND c.conversation_id = s.conversation_id
    )
  WHERE
    m.deleted_at IS NULL AND NOT m.is_repeat AND (
      m.is_listed OR c.header_count = 0
    )
), edits AS (
  SELECT
    n.machine_id AS machine_id,
    n.conversation_no AS conversation_no,
    n.position AS position,
    n.call_index AS call_index,
    n.is_edit AS is_edit,
    n.has_failed AS has_failed,
    n.lines_added AS lines_added,
    n.lines_removed AS lines_removed,
    n.real_at AS real_at,
    n.errors_before AS errors_before,
    CASE WHEN STARTS_WITH(LOWER(n.whole), LOWER(c.folder)) THEN SUBSTRING(n.whole, LENGTH(c.folder) + 1) ELSE n.whole END AS file
  FROM counted AS n
  JOIN shown AS c
    ON c.machine_id = n.machine_id AND c.conversation_no = n.conversation_no
  WHERE
    n.is_edit
), rounds AS (
  SELECT
    edits.machine_id AS machine_id,
    edits.conversation_no AS conversation_no,
    edits.position AS position,
    edits.call_index AS call_index,
    edits.is_edit AS is_edit,
    edits.has_failed AS has_failed,
    edits.lines_added AS lines_added,
    edits.lines_removed AS lines_removed,
    edits.real_at AS real_at,
    edits.errors_before AS errors_before,
    edits.file AS file,
    edits.errors_before > LAG(edits.errors_before) OVER (PARTITION BY edits.machine_id, edits.conversation_no, edits.file ORDER BY edits.position, edits.call_index)
    AND edits.position <= CAST(LAG(edits.position) OVER (PARTITION BY edits.machine_id, edits.conversation_no, edits.file ORDER BY edits.position, edits.call_index) AS INT128) + 20 AS ends_round
  FROM edits AS edits
), loops AS (
  SELECT
    rounds.machine_id AS machine_id,
    rounds.conversation_no AS conversation_no,
    rounds.position AS position,
    rounds.call_index AS call_index,
    rounds.is_edit AS is_edit,
    rounds.has_failed AS has_failed,
    rounds.lines_added AS lines_added,
    rounds.lines_removed AS lines_removed,
    rounds.real_at AS real_at,
    rounds.errors_before AS errors_before,
    rounds.file AS file,
    rounds.ends_round AS ends_round,
    COUNT(*) FILTER(WHERE
      NOT rounds.ends_round IS TRUE) OVER (
      PARTITION BY rounds.machine_id, rounds.conversation_no, rounds.file
      ORDER BY rounds.position, rounds.call_index
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS loop_no
  FROM rounds AS rounds
), found AS (
  SELECT
    loops.machine_id AS machine_id,
    loops.conversation_no AS conversation_no,
    loops.file AS file,
    COUNT(*) - 1 AS rounds,
    MAX(loops.errors_before) - MIN(loops.errors_before) AS errors,
    COUNT(*) AS edits,
    COUNT(loops.real_at) AS times_known,
    MIN(loops.real_at) AS started_at,
    MAX(loops.real_at) AS ended_at,
    COUNT(loops.lines_added) AS lines_known,
    TRY_CAST(SUM(loops.lines_added) AS BIGINT) AS lines_added,
    TRY_CAST(SUM(loops.lines_removed) AS BIGINT) AS lines_removed,
    MIN(loops.position) AS first_position,
    MAX(loops.position) AS last_position
  FROM loops AS loops
  GROUP BY
    loops.machine_id,
    loops.conversation_no,
    loops.file,
    loops.loop_no
  HAVING
    COUNT(*) >= 4
), between_edits AS (
  SELECT
    f.machine_id AS machine_id,
    f.conversation_no AS conversation_no,
    f.file AS file,
    f.first_position AS first_position,
    COUNT(*) AS calls,
    COUNT(t.is_error) AS outcome_known
  FROM found AS f
  JOIN shown AS c
    ON c.machine_id = f.machine_id AND c.conversation_no = f.conversation_no
  JOIN tool_calls AS t
    ON t.machine_id = f.machine_id
    AND (
      t.source_id = c.source_id AND t.conversation_id = c.conversation_id AND t.position BETWEEN f.first_position AND f.last_position
    )
  GROUP BY
    f.machine_id,
    f.conversation_no,
    f.file,
    f.first_position
), repeated AS (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows._is_row) AS repeats
  FROM _machines
  LEFT JOIN (
    SELECT
      live_tool_calls.machine_id AS machine_id,
      1 AS _is_row
    FROM live_tool_calls AS live_tool_calls
    WHERE
      live_tool_calls.tool_kind = 'edit' AND live_tool_calls.is_repeat
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
)
SELECT
  f.machine_id AS machine_id,
  c.source_id AS source_id,
  c.project_uri AS project_uri,
  c.project AS project,
  c.conversation_id AS conversation_id,
  c.title AS title,
  f.file AS file,
  f.rounds AS rounds,
  f.errors AS errors,
  f.edits AS edits,
  f.times_known AS times_known,
  f.started_at AS started_at,
  f.ended_at AS ended_at,
  f.lines_known AS lines_known,
  f.lines_added AS lines_added,
  f.lines_removed AS lines_removed,
  f.first_position AS first_position,
  f.last_position AS last_position,
  b.calls AS calls,
  b.outcome_known AS outcome_known,
  r.repeats AS repeats
FROM found AS f
JOIN repeated AS r
  ON r.machine_id = f.machine_id
JOIN shown AS c
  ON c.machine_id = f.machine_id AND c.conversation_no = f.conversation_no
JOIN between_edits AS b
  ON b.machine_id = f.machine_id AND (
    b.conversation_no = f.conversation_no AND b.file = f.file AND b.first_position = f.first_position
  );
