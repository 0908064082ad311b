-- FROM conversation_until('conversation id', 'message id'): the conversation as it was sent up to and including that message, for a replay; without a
-- message id, the whole conversation. It has the live messages of the active branch, one row a part: role user or assistant with the text as content;
-- role assistant with a tool call (tool, tool_call_id, and arguments as the model wrote them, else the stored parameters; content NULL); role tool with
-- that call's result, else its error, NULL where neither is recorded. Thinking, errors that ended a turn and messages of unknown role are not sent. A
-- message that is not on the active branch gives no rows. Of a conversation that several sources have it gives the rows of the primary.
CREATE OR REPLACE MACRO conversation_until(conv, msg := NULL) AS TABLE
WITH sent AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.position, m.turn, m.role, m.text, m.created_at
    FROM live_messages m
    JOIN message_branches b ON b.source_id = m.source_id AND b.conversation_id = m.conversation_id AND b.message_id = m.message_id AND b.branch = 'active'
    WHERE m.conversation_id = conv
), ends AS (
    SELECT source_id, max(position) AS last_position
    FROM sent
    WHERE msg IS NULL OR message_id = msg
    GROUP BY source_id
), chosen AS (
    SELECT s.*
    FROM sent s
    JOIN ends e ON e.source_id = s.source_id AND s.position <= e.last_position
    WHERE s.role IN ('user', 'assistant')
), calls AS (
    SELECT s.*, t.call_index, coalesce(t.name, t.tool) AS tool, t.tool_call_id, coalesce(t.raw_args, CAST(t.params AS VARCHAR)) AS arguments,
           CASE WHEN t.result IS NULL THEN t.error WHEN json_type(t.result) = 'VARCHAR' THEN t.result ->> '$' ELSE CAST(t.result AS VARCHAR) END AS returned
    FROM chosen s
    JOIN live_tool_calls t ON t.source_id = s.source_id AND t.conversation_id = s.conversation_id AND t.message_id = s.message_id
), parts AS (
    SELECT source_id, conversation_id, message_id, position, turn, -1 AS call_index, 0 AS step, role, text AS content,
           NULL AS tool, NULL AS tool_call_id, NULL AS arguments, created_at
    FROM chosen
    WHERE trim(text, chr(32) || chr(9) || chr(10) || chr(13)) <> ''
    UNION ALL
    SELECT source_id, conversation_id, message_id, position, turn, call_index, 1, 'assistant', NULL, tool, tool_call_id, arguments, created_at
    FROM calls
    UNION ALL
    SELECT source_id, conversation_id, message_id, position, turn, call_index, 2, 'tool', returned, tool, tool_call_id, NULL, created_at
    FROM calls
)
SELECT source_id, conversation_id, message_id, position, turn, role, content, tool, tool_call_id, arguments, created_at
FROM parts
ORDER BY source_id, position, call_index, step;
COMMENT ON MACRO TABLE conversation_until IS 'A conversation as it was sent up to and with a message, for a replay. conv: the conversation''s id; msg: the message''s id (the whole conversation).';
