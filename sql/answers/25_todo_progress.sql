-- How many todo items of plans were finished, and in which conversations?
-- One row per live conversation with todo items, most items first. An item is a todo id within a conversation (its content where it has no id): a second plan
-- that uses the ids again is not told from the first.
-- Its state is the latest that is known: that in the conversation's own list, which Cursor keeps up to date; else that of the last message, by position, that
-- gives it, be it as an attachment or by a todo_write call (finalTodos of its result, else todos of its result, its parameters or its arguments as written; on one
-- message the call wins, failed ones do not count). A context that names no message counts as the conversation's own list where that does not name the item.
-- TODO_STATUS_X is x; the agent's graph has numbers: 1 pending, 2 in_progress, 3 completed, 4 cancelled. open: pending, in_progress, and whatever else is neither completed nor cancelled. completion_rate is completed over the items
-- with a state that were not cancelled. The plan files beside the stores, and who built them, are not loaded.
-- What messages say that a fork repeats is left out: repeats counts such todos, the same in every row. The conversation's own list names no messages: what a fork has there
-- from the conversation that it came from cannot be told.
-- Coverage: of the items, state_known have a state; of the todo_write_calls, calls_read hold todos that can be read.
CREATE OR REPLACE VIEW answers.todo_progress AS
WITH calls AS (
    SELECT t.source_id, t.conversation_id, t.position, t.is_repeat,
           CASE WHEN json_type(t.result, '$.finalTodos') = 'ARRAY' THEN t.result -> '$.finalTodos[*]'
                WHEN json_type(t.result, '$.todos') = 'ARRAY' THEN t.result -> '$.todos[*]'
                WHEN json_type(t.params, '$.todos') = 'ARRAY' THEN t.params -> '$.todos[*]'
                WHEN json_type(t.written, '$.todos') = 'ARRAY' THEN t.written -> '$.todos[*]'
                WHEN json_type(t.written, '$.arguments.todos') = 'ARRAY' THEN t.written -> '$.arguments.todos[*]' END AS todos
    FROM (SELECT *, TRY_CAST(raw_args AS JSON) AS written
          FROM main.live_tool_calls
          WHERE tool IN ('todo_write', 'TodoWrite') AND is_error IS NOT TRUE) t
), states AS (
    SELECT source_id, conversation_id, position, is_repeat, 1 AS rank, 0 AS ordinal, unnest(todos) AS todo
    FROM calls
    UNION ALL
    SELECT a.source_id, a.conversation_id, m.position, m.is_repeat, 0, a.ordinal, a.detail
    FROM main.attachments a
    JOIN main.live_messages m ON m.source_id = a.source_id AND m.conversation_id = a.conversation_id AND m.message_id = a.message_id
    WHERE a.kind = 'todo'
    UNION ALL
    -- the conversation's own list comes first among what was given without a message
    SELECT a.source_id, a.conversation_id, NULL, false, 0, -CAST(a.ordinal AS HUGEINT), a.detail
    FROM main.attachments a
    SEMI JOIN main.live_conversations c ON c.source_id = a.source_id AND c.conversation_id = a.conversation_id
    WHERE a.kind = 'todo' AND a.message_id IS NULL
), named AS (
    SELECT source_id, conversation_id, position, rank, ordinal,
           coalesce(nullif(todo ->> '$.id', ''), todo ->> '$.content') AS item,
           CASE todo ->> '$.status' WHEN '' THEN NULL WHEN '1' THEN 'pending' WHEN '2' THEN 'in_progress' WHEN '3' THEN 'completed' WHEN '4' THEN 'cancelled'
                ELSE lower(replace(todo ->> '$.status', 'TODO_STATUS_', '')) END AS state
    FROM states
    WHERE json_type(todo) = 'OBJECT' AND NOT is_repeat
), items AS (
    SELECT source_id, conversation_id, item,
           arg_max(state, (position IS NULL, coalesce(position, 0), rank, ordinal)) FILTER (WHERE state IS NOT NULL) AS state,
           max(position) AS last_position
    FROM named
    WHERE item IS NOT NULL
    GROUP BY source_id, conversation_id, item
), figures AS (
    SELECT source_id, conversation_id, count(*) AS items, count(state) AS state_known,
           count(*) FILTER (WHERE state = 'completed') AS completed,
           count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
           count(*) FILTER (WHERE state = 'in_progress') AS in_progress,
           count(*) FILTER (WHERE state = 'pending') AS pending,
           count(*) FILTER (WHERE state NOT IN ('completed', 'cancelled')) AS open
    FROM items
    GROUP BY source_id, conversation_id
), written AS (
    SELECT source_id, conversation_id, count(*) AS calls, count(todos) AS calls_read
    FROM calls
    WHERE NOT is_repeat
    GROUP BY source_id, conversation_id
), repeated AS (
    SELECT count(*) AS repeats FROM states WHERE is_repeat AND json_type(todo) = 'OBJECT'
)
SELECT f.source_id, f.conversation_id, c.display_title AS title, c.project, c.session_id, f.items, f.state_known,
       f.completed, f.cancelled, f.in_progress, f.pending, f.open,
       round(f.completed / nullif(f.state_known - f.cancelled, 0), 4) AS completion_rate,
       coalesce(w.calls, 0) AS todo_write_calls, coalesce(w.calls_read, 0) AS calls_read,
       c.last_activity_at, r.repeats
FROM figures f
CROSS JOIN repeated r
JOIN main.live_conversations c ON c.source_id = f.source_id AND c.conversation_id = f.conversation_id
LEFT JOIN written w ON w.source_id = f.source_id AND w.conversation_id = f.conversation_id
ORDER BY f.items DESC, f.open DESC, c.last_activity_at DESC NULLS LAST, f.source_id, f.conversation_id;
COMMENT ON VIEW answers.todo_progress IS 'Todo items per conversation by their latest state; of the items, state_known have one, of the todo_write_calls, calls_read could be read.';
