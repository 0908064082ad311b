-- Made by translate.py from sql/answers/13_code_edit_outcomes.sql, sha256 4fd307a8213a1b89918dd7b89b7435332a65721b2ea828ece001e5b4e46f5771
-- Every proposed edit with its file, model and fate; NULL in is_accepted is what is not decided or not recorded.
CREATE OR REPLACE VIEW code_edit_outcomes AS
WITH calls AS (
  SELECT
    live_tool_calls.machine_id AS machine_id,
    live_tool_calls.source_id AS source_id,
    live_tool_calls.conversation_id AS conversation_id,
    live_tool_calls.message_id AS message_id,
    live_tool_calls.call_index AS call_index,
    live_tool_calls.tool AS tool,
    live_tool_calls.file_path AS file_path,
    live_tool_calls.user_decision AS user_decision,
    live_tool_calls.is_error AS is_error,
    live_tool_calls.lines_added AS lines_added,
    live_tool_calls.lines_removed AS lines_removed
  FROM live_tool_calls AS live_tool_calls
  WHERE
    live_tool_calls.tool_kind = 'edit'
), blocks AS (
  SELECT
    code_edits.machine_id AS machine_id,
    code_edits.source_id AS source_id,
    code_edits.conversation_id AS conversation_id,
    code_edits.message_id AS message_id,
    code_edits.edit_id AS edit_id,
    code_edits.path AS path,
    code_edits.language AS language,
    code_edits.is_accepted AS is_accepted,
    code_edits.lines_added AS lines_added,
    code_edits.lines_removed AS lines_removed,
    code_edits.created_at AS created_at
  FROM code_edits AS code_edits
  WHERE
    code_edits.deleted_at IS NULL
), pairs AS (
  SELECT
    e.machine_id AS machine_id,
    e.source_id AS source_id,
    e.edit_id AS edit_id,
    t.conversation_id AS conversation_id,
    t.message_id AS message_id,
    t.call_index AS call_index,
    t.tool AS tool,
    t.file_path AS file_path,
    t.lines_added AS lines_added,
    t.lines_removed AS lines_removed
  FROM blocks AS e
  JOIN calls AS t
    ON t.machine_id = e.machine_id AND (
      t.source_id = e.source_id AND t.conversation_id = e.conversation_id AND t.message_id = e.message_id
    )
  QUALIFY
    CAST(COUNT(*) OVER (PARTITION BY e.machine_id, e.source_id, e.conversation_id, e.message_id) AS Nullable(Int64)) = 1
), proposed AS (
  SELECT
    e.machine_id AS machine_id,
    e.source_id AS source_id,
    e.conversation_id AS conversation_id,
    e.message_id AS message_id,
    e.edit_id AS edit_id,
    t.call_index AS call_index,
    'code_edits' AS recorded_in,
    t.tool AS tool,
    COALESCE(e.path, t.file_path) AS path,
    e.language AS language,
    e.is_accepted AS is_accepted,
    COALESCE(e.lines_added, t.lines_added) AS lines_added,
    COALESCE(e.lines_removed, t.lines_removed) AS lines_removed,
    e.created_at AS created_at
  FROM blocks AS e
  LEFT JOIN pairs AS t
    ON t.machine_id = e.machine_id AND (
      t.source_id = e.source_id AND t.conversation_id = e.conversation_id AND t.edit_id = e.edit_id
    )
  UNION ALL
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.message_id AS message_id,
    NULL AS _col_3,
    t.call_index AS call_index,
    'tool_calls' AS tool_calls,
    t.tool AS tool,
    t.file_path AS file_path,
    NULL AS _col_8,
    CASE t.user_decision WHEN 'accepted' THEN TRUE WHEN 'rejected' THEN FALSE END AS _col_9,
    t.lines_added AS lines_added,
    t.lines_removed AS lines_removed,
    NULL AS _col_12
  FROM calls AS t
  ANTI JOIN blocks AS e
    ON e.machine_id = t.machine_id AND (
      e.source_id = t.source_id AND e.conversation_id = t.conversation_id AND e.message_id = t.message_id
    )
  WHERE
    NOT (
      t.is_error IS TRUE
    )
), placed AS (
  SELECT
    p.machine_id AS machine_id,
    p.source_id AS source_id,
    p.conversation_id AS conversation_id,
    p.message_id AS message_id,
    p.edit_id AS edit_id,
    p.call_index AS call_index,
    p.recorded_in AS recorded_in,
    p.tool AS tool,
    p.path AS path,
    p.language AS language,
    p.is_accepted AS is_accepted,
    p.lines_added AS lines_added,
    p.lines_removed AS lines_removed,
    p.created_at AS created_at,
    c.project_uri AS project_uri,
    c.project AS project,
    c.display_title AS title,
    c.model AS chosen_model,
    REPLACE(c.project_path, '\\', '/') || '/' AS folder,
    REGEXP_REPLACE(REPLACE(p.path, '\\', '/'), '\\?[^/]*$', '') AS whole
  FROM proposed AS p
  JOIN live_conversations AS c
    ON c.machine_id = p.machine_id AND (
      c.source_id = p.source_id AND c.conversation_id = p.conversation_id
    )
), filed AS (
  SELECT
    placed.machine_id AS machine_id,
    placed.source_id AS source_id,
    placed.conversation_id AS conversation_id,
    placed.message_id AS message_id,
    placed.edit_id AS edit_id,
    placed.call_index AS call_index,
    placed.recorded_in AS recorded_in,
    placed.tool AS tool,
    placed.path AS path,
    placed.language AS language,
    placed.is_accepted AS is_accepted,
    placed.lines_added AS lines_added,
    placed.lines_removed AS lines_removed,
    placed.created_at AS created_at,
    placed.project_uri AS project_uri,
    placed.project AS project,
    placed.title AS title,
    placed.chosen_model AS chosen_model,
    placed.folder AS folder,
    placed.whole AS whole,
    CASE
      WHEN startsWith(lowerUTF8(placed.whole), lowerUTF8(placed.folder))
      THEN substringUTF8(placed.whole, lengthUTF8(placed.folder) + 1)
      ELSE placed.whole
    END AS file
  FROM placed AS placed
)
SELECT
  p.machine_id AS machine_id,
  p.source_id AS source_id,
  p.project_uri AS project_uri,
  p.project AS project,
  p.conversation_id AS conversation_id,
  p.title AS title,
  p.message_id AS message_id,
  m.position AS position,
  CASE WHEN m.deleted_at IS NULL THEN m.turn END AS turn,
  p.edit_id AS edit_id,
  p.call_index AS call_index,
  p.recorded_in AS recorded_in,
  p.tool AS tool,
  p.file AS file,
  COALESCE(nullIf(lowerUTF8(REGEXP_EXTRACT(p.file, '\\.([A-Za-z0-9_+]{1,12})$', 1)), ''), p.language) AS file_type,
  COALESCE(m.model, p.chosen_model) AS model,
  CASE WHEN NOT (
    m.model IS NULL
  ) THEN 'message' WHEN NOT (
    p.chosen_model IS NULL
  ) THEN 'conversation' END AS model_source,
  COALESCE(p.created_at, CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN m.created_at END) AS proposed_at,
  COALESCE(m.created_at, p.created_at) AS message_at,
  p.is_accepted AS is_accepted,
  p.lines_added AS lines_added,
  p.lines_removed AS lines_removed,
  CAST(COUNT(CASE WHEN m.is_repeat THEN 1 END) OVER (PARTITION BY p.machine_id) AS Nullable(Int64)) AS repeats
FROM filed AS p
LEFT JOIN messages AS m
  ON m.machine_id = p.machine_id AND (
    m.source_id = p.source_id AND m.conversation_id = p.conversation_id AND m.message_id = p.message_id
  )
QUALIFY
  NOT (
    m.is_repeat IS TRUE
  )
SETTINGS join_use_nulls = 1;
