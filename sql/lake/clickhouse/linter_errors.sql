-- Made by translate.py from sql/answers/24_linter_errors.sql, sha256 252024ac0f0f9c81946c199a099515a55dca21bfbccc2c793df7ed0ba519fcbf
-- Linter errors per conversation and file, before and after turns that edit it; compared of edited_turns have a report before and after.
CREATE OR REPLACE VIEW linter_errors AS
WITH chats AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.source_id AS source_id,
    live_conversations.conversation_id AS conversation_id,
    live_conversations.display_title AS title,
    live_conversations.project AS project,
    CAST(live_conversations.message_count AS Nullable(Int128)) - live_conversations.unlisted_message_count AS listed,
    lowerUTF8(TRIM(TRAILING '/' FROM REPLACE(live_conversations.project_path, '\\', '/'))) || '/' AS folder
  FROM live_conversations AS live_conversations
), lint_calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.position AS position,
    t.is_repeat AS is_repeat,
    COALESCE(
      upper(toString(JSONType(ifNull(t.result, '')))) = 'OBJECT' AND (
        JSONHas(ifNull(t.result, ''), 'linterErrorsByFile') OR t.result = '{}'
      ),
      FALSE
    ) AS is_read,
    CASE
      WHEN upper(toString(JSONType(ifNull(t.result, ''), 'linterErrorsByFile'))) = 'ARRAY'
      THEN JSONExtractArrayRaw(ifNull(t.result, ''), 'linterErrorsByFile')
      ELSE []
    END AS files
  FROM live_tool_calls AS t
  JOIN chats AS c
    ON c.machine_id = t.machine_id AND (
      c.source_id = t.source_id AND c.conversation_id = t.conversation_id AND t.position < c.listed
    )
  WHERE
    t.tool = 'read_lints'
), given AS (
  SELECT
    a.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    m.position AS position,
    m.is_repeat AS is_repeat,
    a.path AS path,
    CASE WHEN upper(toString(JSONType(ifNull(a.detail, ''), 'errors'))) = 'ARRAY' THEN JSONLength(ifNull(a.detail, ''), 'errors') ELSE 1 END AS errors
  FROM attachments AS a
  JOIN live_messages AS m
    ON m.machine_id = a.machine_id AND (
      m.source_id = a.source_id AND m.conversation_id = a.conversation_id AND m.message_id = a.message_id
    )
  WHERE
    a.kind = 'lint' AND m.role = 'user' AND NOT (
      m.is_simulated IS TRUE
    ) AND m.is_listed
  UNION ALL
  SELECT
    _0.machine_id AS machine_id,
    _0.source_id AS source_id,
    _0.conversation_id AS conversation_id,
    _0.position AS position,
    _0.is_repeat AS is_repeat,
    CASE
      WHEN toString(JSONType(ifNull(_0.file, ''), 'relativeWorkspacePath')) = 'String'
      THEN JSONExtractString(ifNull(_0.file, ''), 'relativeWorkspacePath')
      WHEN toString(JSONType(ifNull(_0.file, ''), 'relativeWorkspacePath')) <> 'Null'
      THEN JSONExtractRaw(ifNull(_0.file, ''), 'relativeWorkspacePath')
    END AS relativeworkspacepath,
    CASE WHEN upper(toString(JSONType(ifNull(_0.file, ''), 'errors'))) = 'ARRAY' THEN JSONLength(ifNull(_0.file, ''), 'errors') ELSE 0 END AS _col_5
  FROM (
    SELECT
      lint_calls.machine_id AS machine_id,
      lint_calls.source_id AS source_id,
      lint_calls.conversation_id AS conversation_id,
      lint_calls.position AS position,
      lint_calls.is_repeat AS is_repeat,
      arrayJoin(lint_calls.files) AS file
    FROM lint_calls AS lint_calls
  ) AS _0
), reports AS (
  SELECT
    g.machine_id AS machine_id,
    g.source_id AS source_id,
    g.conversation_id AS conversation_id,
    g.position AS position,
    accurateCastOrNull(SUM(g.errors), 'Int64') AS errors,
    CASE WHEN startsWith(lowerUTF8(g.slashed), c.folder) THEN substringUTF8(g.slashed, lengthUTF8(c.folder) + 1) ELSE g.slashed END AS file
  FROM (
    SELECT
      given.machine_id AS machine_id,
      given.source_id AS source_id,
      given.conversation_id AS conversation_id,
      given.position AS position,
      given.is_repeat AS is_repeat,
      given.path AS path,
      given.errors AS errors,
      REGEXP_REPLACE(REPLACE(given.path, '\\', '/'), '^(\\./)+', '') AS slashed
    FROM given AS given
    WHERE
      NOT given.is_repeat
  ) AS g
  JOIN chats AS c
    ON c.machine_id = g.machine_id AND (
      c.source_id = g.source_id AND c.conversation_id = g.conversation_id
    )
  GROUP BY
    g.machine_id,
    g.source_id,
    g.conversation_id,
    g.position,
    CASE WHEN startsWith(lowerUTF8(g.slashed), c.folder) THEN substringUTF8(g.slashed, lengthUTF8(c.folder) + 1) ELSE g.slashed END
), prompts AS (
  SELECT
    live_messages.machine_id AS machine_id,
    live_messages.source_id AS source_id,
    live_messages.conversation_id AS conversation_id,
    live_messages.position AS prompt,
    lead(live_messages.position) OVER (PARTITION BY live_messages.machine_id, live_messages.source_id, live_messages.conversation_id ORDER BY live_messages.position) AS next_prompt
  FROM live_messages AS live_messages
  WHERE
    live_messages.role = 'user' AND NOT (
      live_messages.is_simulated IS TRUE
    ) AND live_messages.is_listed
), calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.position AS position,
    CASE WHEN startsWith(lowerUTF8(t.slashed), c.folder) THEN substringUTF8(t.slashed, lengthUTF8(c.folder) + 1) ELSE t.slashed END AS file
  FROM (
    SELECT
      live_tool_calls.machine_id AS machine_id,
      live_tool_calls.source_id AS source_id,
      live_tool_calls.conversation_id AS conversation_id,
      live_tool_calls.position AS position,
      REGEXP_REPLACE(REPLACE(live_tool_calls.file_path, '\\', '/'), '^(\\./)+', '') AS slashed
    FROM live_tool_calls AS live_tool_calls
    WHERE
      live_tool_calls.tool_kind = 'edit'
      AND NOT (
        live_tool_calls.file_path IS NULL
      )
      AND NOT (
        live_tool_calls.is_error IS TRUE
      )
      AND NOT live_tool_calls.is_repeat
  ) AS t
  JOIN chats AS c
    ON c.machine_id = t.machine_id AND (
      c.source_id = t.source_id AND c.conversation_id = t.conversation_id AND t.position < c.listed
    )
), edited AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.file AS file,
    p.prompt AS prompt,
    p.next_prompt AS next_prompt,
    MIN(t.position) AS first_edit,
    MAX(t.position) AS last_edit,
    CAST(COUNT(*) AS Nullable(Int64)) AS edits
  FROM calls AS t
  SEMI JOIN reports AS r
    ON r.machine_id = t.machine_id AND (
      r.source_id = t.source_id AND r.conversation_id = t.conversation_id AND r.file = t.file
    )
  JOIN prompts AS p
    ON p.machine_id = t.machine_id
    AND (
      p.source_id = t.source_id
      AND p.conversation_id = t.conversation_id
      AND t.position >= p.prompt
      AND t.position < COALESCE(p.next_prompt, t.position + 1)
    )
  GROUP BY
    t.machine_id,
    t.source_id,
    t.conversation_id,
    t.file,
    p.prompt,
    p.next_prompt
), compared AS (
  SELECT
    e.machine_id AS machine_id,
    e.source_id AS source_id,
    e.conversation_id AS conversation_id,
    e.file AS file,
    e.prompt AS prompt,
    any(e.edits) AS edits,
    argMaxIf(r.errors, r.position, r.position >= e.prompt AND r.position < e.first_edit) AS before_turn,
    argMinIf(r.errors, r.position, r.position > e.last_edit AND r.position <= COALESCE(e.next_prompt, r.position)) AS after_turn
  FROM edited AS e
  JOIN reports AS r
    ON r.machine_id = e.machine_id AND (
      r.source_id = e.source_id AND r.conversation_id = e.conversation_id AND r.file = e.file
    )
  GROUP BY
    e.machine_id,
    e.source_id,
    e.conversation_id,
    e.file,
    e.prompt
), turns AS (
  SELECT
    compared.machine_id AS machine_id,
    compared.source_id AS source_id,
    compared.conversation_id AS conversation_id,
    compared.file AS file,
    CAST(COUNT(*) AS Nullable(Int64)) AS edited_turns,
    accurateCastOrNull(SUM(compared.edits), 'Int64') AS edits,
    CAST(COUNT(CASE WHEN NOT (
      compared.after_turn IS NULL
    ) THEN compared.before_turn END) AS Nullable(Int64)) AS compared,
    accurateCastOrNull(SUM(CASE WHEN NOT (
      compared.after_turn IS NULL
    ) THEN compared.before_turn END), 'Int64') AS errors_before,
    accurateCastOrNull(SUM(CASE WHEN NOT (
      compared.before_turn IS NULL
    ) THEN compared.after_turn END), 'Int64') AS errors_after,
    CAST(COUNT(CASE WHEN compared.after_turn > compared.before_turn THEN 1 END) AS Nullable(Int64)) AS turns_worse,
    CAST(COUNT(CASE WHEN compared.after_turn < compared.before_turn THEN 1 END) AS Nullable(Int64)) AS turns_better
  FROM compared AS compared
  GROUP BY
    compared.machine_id,
    compared.source_id,
    compared.conversation_id,
    compared.file
), reported AS (
  SELECT
    reports.machine_id AS machine_id,
    reports.source_id AS source_id,
    reports.conversation_id AS conversation_id,
    reports.file AS file,
    CAST(COUNT(*) AS Nullable(Int64)) AS reports,
    argMin(reports.errors, reports.position) AS first_errors,
    argMax(reports.errors, reports.position) AS last_errors,
    MAX(reports.errors) AS most_errors
  FROM reports AS reports
  GROUP BY
    reports.machine_id,
    reports.source_id,
    reports.conversation_id,
    reports.file
), lint_totals AS (
  SELECT
    lint_calls.machine_id AS machine_id,
    lint_calls.source_id AS source_id,
    lint_calls.conversation_id AS conversation_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS lint_calls,
    CAST(COUNT(CASE WHEN lint_calls.is_read THEN 1 END) AS Nullable(Int64)) AS lint_calls_read
  FROM lint_calls AS lint_calls
  WHERE
    NOT lint_calls.is_repeat
  GROUP BY
    lint_calls.machine_id,
    lint_calls.source_id,
    lint_calls.conversation_id
), repeated AS (
  SELECT
    _machines.machine_id AS machine_id,
    CAST(COUNT(_rows._is_row) AS Nullable(Int64)) AS repeats
  FROM _machines
  LEFT JOIN (
    SELECT
      given.machine_id AS machine_id,
      1 AS _is_row
    FROM given AS given
    WHERE
      given.is_repeat
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
)
SELECT
  r.machine_id AS machine_id,
  r.source_id AS source_id,
  r.conversation_id AS conversation_id,
  c.title AS title,
  c.project AS project,
  r.file AS file,
  r.reports AS reports,
  r.first_errors AS first_errors,
  r.last_errors AS last_errors,
  r.most_errors AS most_errors,
  COALESCE(x.edits, 0) AS edits,
  COALESCE(x.edited_turns, 0) AS edited_turns,
  COALESCE(x.compared, 0) AS compared,
  x.errors_before AS errors_before,
  x.errors_after AS errors_after,
  COALESCE(x.turns_worse, 0) AS turns_worse,
  COALESCE(x.turns_better, 0) AS turns_better,
  COALESCE(l.lint_calls, 0) AS lint_calls,
  COALESCE(l.lint_calls_read, 0) AS lint_calls_read,
  n.repeats AS repeats
FROM reported AS r
JOIN repeated AS n
  ON n.machine_id = r.machine_id
JOIN chats AS c
  ON c.machine_id = r.machine_id AND (
    c.source_id = r.source_id AND c.conversation_id = r.conversation_id
  )
LEFT JOIN turns AS x
  ON x.machine_id = r.machine_id AND (
    x.source_id = r.source_id AND x.conversation_id = r.conversation_id AND x.file = r.file
  )
LEFT JOIN lint_totals AS l
  ON l.machine_id = r.machine_id AND (
    l.source_id = r.source_id AND l.conversation_id = r.conversation_id
  )
SETTINGS join_use_nulls = 1;
