-- Which tools are called how often, in which mode and by which model?
-- One row per tool, mode and model, most calls first. Placeholders are no tool calls and are not among them.
-- mode is that of the message, else that of its conversation. model is the one that the message names, else the one that other messages of its
-- turn name, if they agree; it is never the conversation's, which is what was chosen and not what answered. share is of all calls.
-- Calls that a fork repeats are left out: repeats counts those of the tool, in all modes and by all models.
-- Coverage: of all calls of the tool, in all modes and by all models (tool_calls), mode_known have a mode and model_known a model.
CREATE OR REPLACE VIEW answers.tool_usage AS
WITH turns AS (
    SELECT source_id, conversation_id, turn, min(model) AS model
    FROM main.messages
    WHERE model IS NOT NULL AND deleted_at IS NULL
    GROUP BY source_id, conversation_id, turn
    HAVING min(model) = max(model)
), calls AS (
    SELECT coalesce(t.tool, '(unnamed)') AS tool, t.tool_kind, coalesce(m.mode, c.mode) AS mode, coalesce(m.model, u.model) AS model,
           t.source_id, t.conversation_id, coalesce(m.is_repeat, false) AS is_repeat
    FROM main.tool_calls t
    JOIN main.live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    LEFT JOIN main.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
    LEFT JOIN turns u ON u.source_id = m.source_id AND u.conversation_id = m.conversation_id AND u.turn = m.turn
    WHERE t.deleted_at IS NULL
), counted AS (
    SELECT tool, tool_kind, mode, model, count(*) AS calls, count(DISTINCT (source_id, conversation_id)) AS conversations
    FROM calls
    WHERE NOT is_repeat
    GROUP BY tool, tool_kind, mode, model
), repeated AS (
    SELECT tool, tool_kind, count(*) AS repeats
    FROM calls
    WHERE is_repeat
    GROUP BY tool, tool_kind
)
SELECT n.tool, n.tool_kind, n.mode, n.model, n.calls, n.conversations,
       round(n.calls / sum(n.calls) OVER (), 4) AS share,
       TRY_CAST(sum(n.calls) OVER of_tool AS BIGINT) AS tool_calls,
       TRY_CAST(coalesce(sum(n.calls) FILTER (WHERE n.mode IS NOT NULL) OVER of_tool, 0) AS BIGINT) AS mode_known,
       TRY_CAST(coalesce(sum(n.calls) FILTER (WHERE n.model IS NOT NULL) OVER of_tool, 0) AS BIGINT) AS model_known,
       coalesce(r.repeats, 0) AS repeats
FROM counted n
LEFT JOIN repeated r ON r.tool = n.tool AND r.tool_kind = n.tool_kind
WINDOW of_tool AS (PARTITION BY n.tool, n.tool_kind)
ORDER BY n.calls DESC, n.tool, n.tool_kind, n.mode NULLS LAST, n.model NULLS LAST;
COMMENT ON VIEW answers.tool_usage IS 'Calls per tool, mode and model; of all calls of the tool (tool_calls), mode_known have a mode and model_known a model.';
