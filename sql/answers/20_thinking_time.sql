-- How long do models think, and do turns with thinking go better?
-- One row per model and mode, most turns with thinking first. A turn is a prompt that the header list names and the answers up to the next one.
-- model: the last that an answer of the turn records, else the conversation's (model_known of turns have their own); mode: the prompt's,
-- else the conversation's; '(unknown)' where neither says. Thinking: a message with a thinking text or a thinking time.
-- thinking_share is thinking time over turn time, over the measured turns: those whose own duration is recorded and all of whose
-- thinking is timed (a turn without thinking counts with 0). It is a share of the time that was recorded, not of all time.
-- failure_rate_with and failure_rate_without are over the tool calls that are known to have succeeded or failed, of turns with and without thinking. They
-- show what goes together, not what causes what: hard tasks are thought about more.
-- What a fork repeats is left out: repeats are such turns of the model and mode.
-- Coverage: of the thinking_messages, durations_known have a time; of the turns, measured_turns have their duration recorded, and the time of all
-- their thinking. Of calls_with, outcome_known_with are known to have succeeded or failed; of calls_without, outcome_known_without.
CREATE OR REPLACE VIEW answers.thinking_time AS
WITH answers AS (
    SELECT m.source_id, m.conversation_id, m.turn, CASE WHEN m.is_simulated THEN 'unknown' ELSE m.role END AS role, m.position, m.model, m.mode, m.turn_duration_ms, m.thinking_duration_ms,
           m.thinking_duration_ms IS NOT NULL OR m.thinking IS NOT NULL AS thinks, m.is_repeat
    FROM main.live_messages m
    WHERE m.is_listed AND m.turn > 0
), calls AS (
    SELECT t.source_id, t.conversation_id, m.turn, m.is_repeat, count(*) AS calls, count(t.is_error) AS known, count(*) FILTER (WHERE t.is_error) AS failed
    FROM main.live_tool_calls t
    JOIN main.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
    WHERE m.is_listed AND m.turn > 0 AND m.deleted_at IS NULL
    GROUP BY t.source_id, t.conversation_id, m.turn, m.is_repeat
), turns AS (
    SELECT source_id, conversation_id, turn, is_repeat,
           arg_max(model, position) FILTER (WHERE role = 'assistant') AS model,
           any_value(mode) FILTER (WHERE role = 'user') AS mode,
           max(turn_duration_ms) FILTER (WHERE role = 'user') AS turn_ms,
           count(*) FILTER (WHERE thinks) AS thoughts,
           count(thinking_duration_ms) AS timed,
           TRY_CAST(sum(thinking_duration_ms) AS BIGINT) AS thinking_ms
    FROM answers
    GROUP BY source_id, conversation_id, turn, is_repeat
), told AS (
    SELECT coalesce(x.model, c.model, '(unknown)') AS model, coalesce(x.mode, c.mode, '(unknown)') AS mode, x.model IS NOT NULL AS has_model, x.is_repeat,
           x.turn_ms, x.thoughts, x.timed, x.thinking_ms, t.calls, t.known, t.failed,
           x.turn_ms > 0 AND x.timed = x.thoughts AS measured
    FROM turns x
    JOIN main.live_conversations c ON c.source_id = x.source_id AND c.conversation_id = x.conversation_id
    LEFT JOIN calls t ON t.source_id = x.source_id AND t.conversation_id = x.conversation_id AND t.turn = x.turn AND t.is_repeat = x.is_repeat
), repeated AS (
    SELECT model, mode, count(*) AS repeats
    FROM told
    WHERE is_repeat
    GROUP BY model, mode
), figures AS (
    SELECT model, mode,
           count(*) AS turns,
           count(*) FILTER (WHERE has_model) AS model_known,
           count(*) FILTER (WHERE thoughts > 0) AS turns_with_thinking,
           TRY_CAST(sum(thoughts) AS BIGINT) AS thinking_messages,
           TRY_CAST(sum(timed) AS BIGINT) AS durations_known,
           TRY_CAST(sum(thinking_ms) AS BIGINT) AS thinking_ms,
           TRY_CAST(round(sum(thinking_ms) / nullif(sum(timed), 0)) AS BIGINT) AS thinking_ms_each,
           count(*) FILTER (WHERE measured) AS measured_turns,
           round(sum(coalesce(thinking_ms, 0)) FILTER (WHERE measured) / sum(turn_ms) FILTER (WHERE measured), 4) AS thinking_share,
           TRY_CAST(coalesce(sum(calls) FILTER (WHERE thoughts > 0), 0) AS BIGINT) AS calls_with,
           TRY_CAST(coalesce(sum(known) FILTER (WHERE thoughts > 0), 0) AS BIGINT) AS outcome_known_with,
           round(sum(failed) FILTER (WHERE thoughts > 0) / nullif(sum(known) FILTER (WHERE thoughts > 0), 0), 4) AS failure_rate_with,
           TRY_CAST(coalesce(sum(calls) FILTER (WHERE thoughts = 0), 0) AS BIGINT) AS calls_without,
           TRY_CAST(coalesce(sum(known) FILTER (WHERE thoughts = 0), 0) AS BIGINT) AS outcome_known_without,
           round(sum(failed) FILTER (WHERE thoughts = 0) / nullif(sum(known) FILTER (WHERE thoughts = 0), 0), 4) AS failure_rate_without
    FROM told
    WHERE NOT is_repeat
    GROUP BY model, mode
)
SELECT f.*, coalesce(r.repeats, 0) AS repeats
FROM figures f
LEFT JOIN repeated r ON r.model = f.model AND r.mode = f.mode
ORDER BY f.turns_with_thinking DESC, f.turns DESC, f.model, f.mode;
COMMENT ON VIEW answers.thinking_time IS 'Thinking time, its share of turn time and failure rates with and without it, per model and mode; of the thinking_messages, durations_known have a time.';
