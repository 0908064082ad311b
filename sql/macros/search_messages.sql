-- FROM search_messages('words', max_rows := 50): live messages that contain the words exactly, but in any case, in their text, their thinking, or the
-- parameters or result of a tool call; newest first. found_in names the place; % and _ are plain characters. Parameters and results are JSON text, in
-- which a quote, a backslash or a line break is escaped: both forms of the words are searched for. text is where the words are if they are in the text or
-- the thinking, else the text of the message. From id on, the columns have the names that chat viewers ask for.
CREATE OR REPLACE MACRO search_messages(query, max_rows := 50) AS TABLE
WITH calls AS (
    SELECT t.source_id, t.conversation_id, t.message_id,
           bool_or(contains(lower(CAST(t.params AS VARCHAR)), lower(query))
               OR contains(lower(CAST(t.params AS VARCHAR)), lower(CAST(to_json(query) AS VARCHAR)[2:-2]))) AS in_params,
           bool_or(contains(lower(CAST(t.result AS VARCHAR)), lower(query))
               OR contains(lower(CAST(t.result AS VARCHAR)), lower(CAST(to_json(query) AS VARCHAR)[2:-2]))) AS in_result
    FROM live_tool_calls t
    GROUP BY t.source_id, t.conversation_id, t.message_id
), found AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.position, m.role, m.kind, m.text, m.thinking, m.created_at,
           CASE WHEN contains(lower(m.text), lower(query)) THEN 'text'
                WHEN contains(lower(m.thinking), lower(query)) THEN 'thinking'
                WHEN t.in_params THEN 'params'
                WHEN t.in_result THEN 'result' END AS found_in
    FROM live_messages m
    LEFT JOIN calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id
)
SELECT f.conversation_id, c.display_title AS title, c.project, f.message_id, f.position, f.role, f.kind, f.found_in,
       CASE WHEN f.found_in = 'thinking' THEN f.thinking ELSE coalesce(f.text, f.thinking) END AS text, f.created_at,
       f.message_id AS id, c.display_title AS name,
       CASE WHEN f.found_in = 'thinking' THEN f.thinking ELSE coalesce(f.text, f.thinking) END AS content,
       CASE f.role WHEN 'user' THEN 'user' WHEN 'assistant' THEN 'bot' ELSE 'system' END AS sender_type, f.created_at AS "timestamp"
FROM found f
JOIN live_conversations c ON c.source_id = f.source_id AND c.conversation_id = f.conversation_id
WHERE f.found_in IS NOT NULL
ORDER BY f.created_at DESC NULLS LAST, f.source_id, f.conversation_id, f.position DESC
LIMIT max_rows;
COMMENT ON MACRO TABLE search_messages IS 'Live messages that contain words exactly, in any case, newest first. query: the words; max_rows: how many (50).';
