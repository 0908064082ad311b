-- Finds the subagent that a call of a transcript has started: a child of its conversation whose first prompt is the call's prompt.
--
-- Nothing in a transcript names it. A call of CallDynamicTool has the prompt among its arguments. Calls with the same prompt have the children with that prompt in their order, if there are as many of these as of those; else none is
-- known. Deleted calls are paired by themselves. Everything is computed for all transcripts, and written only where it differs. _recalled gets the calls that it writes.
-- A load skips it while (SELECT conversation_id FROM conversations WHERE format = 'transcript') is empty.
CREATE OR REPLACE TEMP TABLE _task_children AS
WITH calls AS (
    SELECT t.source_id, t.conversation_id, t.message_id, t.call_index, t.subagent_id, t.deleted_at IS NOT NULL AS is_deleted, trim(TRY(coalesce(json_extract_string(t.raw_args, '$.prompt'), json_extract_string(t.raw_args, '$.arguments.prompt'))), E' \t\r\n') AS prompt,
           TRY_CAST(substr(t.message_id, 2) AS BIGINT) AS line
    FROM tool_calls t
    JOIN conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    WHERE c.format = 'transcript' AND t.tool = 'task'
), children AS (
    SELECT c.source_id, c.conversation_id, c.parent_conversation_id, c.created_at,
           trim(arg_min(m.text, (m.position IS NULL, m.position, TRY_CAST(substr(m.message_id, 2) AS BIGINT))), E' \t\r\n') AS prompt
    FROM conversations c
    JOIN messages m ON m.source_id = c.source_id AND m.conversation_id = c.conversation_id
    WHERE (c.source_id, c.parent_conversation_id) IN (SELECT (source_id, conversation_id) FROM calls) AND m.role = 'user' AND m.text IS NOT NULL
    GROUP BY ALL
), asked AS (
    SELECT source_id, conversation_id, message_id, call_index, is_deleted, prompt, count(*) OVER same AS times, row_number() OVER (same ORDER BY line, call_index) AS place
    FROM calls
    WHERE prompt <> ''
    WINDOW same AS (PARTITION BY source_id, conversation_id, is_deleted, prompt)
), answered AS (
    SELECT source_id, conversation_id, parent_conversation_id, prompt, count(*) OVER same AS times, row_number() OVER (same ORDER BY created_at NULLS LAST, conversation_id) AS place
    FROM children
    WINDOW same AS (PARTITION BY source_id, parent_conversation_id, prompt)
)
SELECT c.source_id, c.conversation_id, c.message_id, c.call_index, k.conversation_id AS subagent_id
FROM calls c
LEFT JOIN asked a ON a.source_id = c.source_id AND a.conversation_id = c.conversation_id AND a.message_id = c.message_id AND a.call_index = c.call_index
LEFT JOIN answered k ON k.source_id = a.source_id AND k.parent_conversation_id = a.conversation_id AND k.prompt = a.prompt AND k.times = a.times AND k.place = a.place
WHERE c.subagent_id IS DISTINCT FROM k.conversation_id;

UPDATE tool_calls AS t
SET subagent_id = n.subagent_id
FROM _task_children n
WHERE n.source_id = t.source_id AND n.conversation_id = t.conversation_id AND n.message_id = t.message_id AND n.call_index = t.call_index;

INSERT INTO _recalled SELECT DISTINCT 'tool_calls', conversation_id FROM _task_children;

DROP TABLE _task_children;
