-- Made by translate.py from sql/answers/25_todo_progress.sql, sha256 905eed3cd427c47ae8d6dd2dc827f8054e2bc14d60c3ecd56f9c92c52a0de259
-- Todo items per conversation by their latest state; state_known of items have one, calls_read of todo_write_calls could be read.
CREATE OR REPLACE TEMPORARY VIEW todo_progress AS
WITH calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.position AS position,
    t.is_repeat AS is_repeat,
    CASE
      WHEN regexp_substr(schema_of_variant(try_variant_get(try_parse_json(t.result), '$.finalTodos', 'variant')), '^[A-Z]+') = 'ARRAY'
      THEN from_json(get_json_object(t.result, '$.finalTodos'), 'array<string>')
      WHEN regexp_substr(schema_of_variant(try_variant_get(try_parse_json(t.params), '$.todos', 'variant')), '^[A-Z]+') = 'ARRAY'
      THEN from_json(get_json_object(t.params, '$.todos'), 'array<string>')
    END AS todos,
    COALESCE(
      regexp_substr(schema_of_variant(try_variant_get(try_parse_json(t.result), '$.finalTodos', 'variant')), '^[A-Z]+') = 'ARRAY'
      OR regexp_substr(schema_of_variant(try_variant_get(try_parse_json(t.params), '$.todos', 'variant')), '^[A-Z]+') = 'ARRAY',
      FALSE
    ) AS is_read
  FROM live_tool_calls AS t
  WHERE
    t.tool = 'todo_write' AND NOT t.is_error IS TRUE
), states AS (
  SELECT
    calls.machine_id AS machine_id,
    calls.source_id AS source_id,
    calls.conversation_id AS conversation_id,
    calls.position AS position,
    calls.is_repeat AS is_repeat,
    1 AS rank,
    0 AS ordinal,
    EXPLODE(calls.todos) AS todo
  FROM calls AS calls
  UNION ALL
  SELECT
    a.machine_id AS machine_id,
    a.source_id AS source_id,
    a.conversation_id AS conversation_id,
    m.position AS position,
    m.is_repeat AS is_repeat,
    0 AS `0`,
    a.ordinal AS ordinal,
    a.detail AS detail
  FROM attachments AS a
  JOIN live_messages AS m
    ON m.machine_id = a.machine_id AND (
      m.source_id = a.source_id AND m.conversation_id = a.conversation_id AND m.message_id = a.message_id
    )
  WHERE
    a.kind = 'todo'
  UNION ALL
  SELECT
    a.machine_id AS machine_id,
    a.source_id AS source_id,
    a.conversation_id AS conversation_id,
    NULL AS _col_2,
    FALSE AS _col_3,
    0 AS `0`,
    -CAST(a.ordinal AS DECIMAL(38, 0)) AS _col_5,
    a.detail AS detail
  FROM attachments AS a
  SEMI JOIN live_conversations AS c
    ON c.machine_id = a.machine_id AND (
      c.source_id = a.source_id AND c.conversation_id = a.conversation_id
    )
  WHERE
    a.kind = 'todo' AND a.message_id IS NULL
), named AS (
  SELECT
    states.machine_id AS machine_id,
    states.source_id AS source_id,
    states.conversation_id AS conversation_id,
    states.position AS position,
    states.rank AS rank,
    states.ordinal AS ordinal,
    COALESCE(NULLIF(get_json_object(states.todo, '$.id'), ''), get_json_object(states.todo, '$.content')) AS item,
    LOWER(REPLACE(NULLIF(get_json_object(states.todo, '$.status'), ''), 'TODO_STATUS_', '')) AS state
  FROM states AS states
  WHERE
    regexp_substr(schema_of_variant(try_parse_json(states.todo)), '^[A-Z]+') = 'OBJECT' AND NOT states.is_repeat
), items AS (
  SELECT
    named.machine_id AS machine_id,
    named.source_id AS source_id,
    named.conversation_id AS conversation_id,
    named.item AS item,
    max_by(
      named.state,
      CASE
        WHEN NOT named.state IS NULL AND NOT named.state IS NULL
        THEN (named.position IS NULL, COALESCE(named.position, 0), named.rank IS NULL, named.rank, named.ordinal IS NULL, named.ordinal)
      END
    ) AS state,
    MAX(named.position) AS last_position
  FROM named AS named
  WHERE
    NOT named.item IS NULL
  GROUP BY
    named.machine_id,
    named.source_id,
    named.conversation_id,
    named.item
), figures AS (
  SELECT
    items.machine_id AS machine_id,
    items.source_id AS source_id,
    items.conversation_id AS conversation_id,
    COUNT(*) AS items,
    COUNT(items.state) AS state_known,
    COUNT(CASE WHEN items.state = 'completed' THEN 1 END) AS completed,
    COUNT(CASE WHEN items.state = 'cancelled' THEN 1 END) AS cancelled,
    COUNT(CASE WHEN items.state = 'in_progress' THEN 1 END) AS in_progress,
    COUNT(CASE WHEN items.state = 'pending' THEN 1 END) AS pending,
    COUNT(CASE WHEN NOT items.state IN ('completed', 'cancelled') THEN 1 END) AS open
  FROM items AS items
  GROUP BY
    items.machine_id,
    items.source_id,
    items.conversation_id
), written AS (
  SELECT
    calls.machine_id AS machine_id,
    calls.source_id AS source_id,
    calls.conversation_id AS conversation_id,
    COUNT(*) AS calls,
    COUNT(CASE WHEN calls.is_read THEN 1 END) AS calls_read
  FROM calls AS calls
  WHERE
    NOT calls.is_repeat
  GROUP BY
    calls.machine_id,
    calls.source_id,
    calls.conversation_id
), repeated AS (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows._is_row) AS repeats
  FROM _machines
  LEFT JOIN (
    SELECT
      states.machine_id AS machine_id,
      1 AS _is_row
    FROM states AS states
    WHERE
      states.is_repeat AND regexp_substr(schema_of_variant(try_parse_json(states.todo)), '^[A-Z]+') = 'OBJECT'
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
)
SELECT
  f.machine_id AS machine_id,
  f.source_id AS source_id,
  f.conversation_id AS conversation_id,
  c.display_title AS title,
  c.project AS project,
  c.session_id AS session_id,
  f.items AS items,
  f.state_known AS state_known,
  f.completed AS completed,
  f.cancelled AS cancelled,
  f.in_progress AS in_progress,
  f.pending AS pending,
  f.open AS open,
  ROUND(f.completed / NULLIF(f.state_known - f.cancelled, 0), 4) AS completion_rate,
  COALESCE(w.calls, 0) AS todo_write_calls,
  COALESCE(w.calls_read, 0) AS calls_read,
  c.last_activity_at AS last_activity_at,
  r.repeats AS repeats
FROM figures AS f
JOIN repeated AS r
  ON r.machine_id = f.machine_id
JOIN live_conversations AS c
  ON c.machine_id = f.machine_id AND (
    c.source_id = f.source_id AND c.conversation_id = f.conversation_id
  )
LEFT JOIN written AS w
  ON w.machine_id = f.machine_id AND (
    w.source_id = f.source_id AND w.conversation_id = f.conversation_id
  );
