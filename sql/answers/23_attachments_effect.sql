-- What do people attach to their prompts, and how do such turns go?
-- One row per kind of attachment, most turns first, and one '(none)' for the turns without any. A turn is a prompt that the header list names and the
-- answers up to the next one, without turns that a fork repeats; it counts once in each kind that was given with its prompt (messageRequestContext included), however many of them.
-- Failure is over the tool calls that are known to have succeeded or failed, acceptance over the code edits that were accepted or rejected as a whole.
-- It is correlation only: hard or long tasks get more attachments, and newer builds attach more by themselves (rules, the current file).
-- Coverage: of the attachments, placed were given with a prompt (the others with the whole conversation, with an answer, or with a prompt that is not named any
-- more: which turn they belong to is not known); of the tool_calls, outcome_known are known to have succeeded or failed; of the edits, decided were accepted or rejected.
CREATE OR REPLACE VIEW answers.attachments_effect AS
WITH listed AS (
    SELECT source_id, conversation_id, message_id, turn, CASE WHEN is_simulated THEN 'unknown' ELSE role END AS role
    FROM main.live_messages
    WHERE is_listed AND turn > 0 AND NOT is_repeat
), deleted AS ( -- they keep their attachments
    SELECT source_id, conversation_id, message_id FROM main.messages WHERE deleted_at IS NOT NULL
), given AS (
    SELECT a.source_id, a.conversation_id, a.message_id, a.kind, count(*) AS attachments
    FROM main.attachments a
    SEMI JOIN main.live_conversations c ON c.source_id = a.source_id AND c.conversation_id = a.conversation_id
    ANTI JOIN deleted d ON d.source_id = a.source_id AND d.conversation_id = a.conversation_id AND d.message_id = a.message_id
    GROUP BY a.source_id, a.conversation_id, a.message_id, a.kind
), kinds AS (
    SELECT g.kind, p.source_id, p.conversation_id, p.turn, g.attachments
    FROM given g
    JOIN listed p ON p.source_id = g.source_id AND p.conversation_id = g.conversation_id AND p.message_id = g.message_id AND p.role = 'user'
), turns AS (
    SELECT source_id, conversation_id, turn, count(*) FILTER (WHERE role = 'assistant') AS answers
    FROM listed
    GROUP BY source_id, conversation_id, turn
    HAVING count(*) FILTER (WHERE role = 'user') > 0
), calls AS (
    SELECT t.source_id, t.conversation_id, m.turn, count(*) AS calls, count(t.is_error) AS known, count(*) FILTER (WHERE t.is_error) AS failed
    FROM main.live_tool_calls t
    JOIN listed m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
    GROUP BY t.source_id, t.conversation_id, m.turn
), edits AS (
    SELECT e.source_id, e.conversation_id, m.turn, count(*) AS edits, count(e.is_accepted) AS decided, count(*) FILTER (WHERE e.is_accepted) AS accepted
    FROM main.code_edits e
    JOIN listed m ON m.source_id = e.source_id AND m.conversation_id = e.conversation_id AND m.message_id = e.message_id
    WHERE e.deleted_at IS NULL
    GROUP BY e.source_id, e.conversation_id, m.turn
), told AS (
    SELECT x.source_id, x.conversation_id, x.turn, x.answers, t.calls, t.known, t.failed, e.edits, e.decided, e.accepted
    FROM turns x
    LEFT JOIN calls t ON t.source_id = x.source_id AND t.conversation_id = x.conversation_id AND t.turn = x.turn
    LEFT JOIN edits e ON e.source_id = x.source_id AND e.conversation_id = x.conversation_id AND e.turn = x.turn
), figures AS (
    SELECT coalesce(k.kind, '(none)') AS kind, count(*) AS turns,
           count(*) FILTER (WHERE x.answers > 0) AS answered,
           sum(x.answers) AS answers, sum(x.calls) AS calls, sum(x.known) AS known, sum(x.failed) AS failed,
           sum(x.edits) AS edits, sum(x.decided) AS decided, sum(x.accepted) AS accepted, sum(k.attachments) AS placed
    FROM told x
    LEFT JOIN kinds k ON k.source_id = x.source_id AND k.conversation_id = x.conversation_id AND k.turn = x.turn
    GROUP BY ALL
), totals AS (
    SELECT kind, sum(attachments) AS attachments FROM given GROUP BY kind
)
SELECT coalesce(f.kind, n.kind) AS kind,
       coalesce(f.turns, 0) AS turns,
       round(f.answered / f.turns, 4) AS answered_rate,
       round(f.answers / f.turns, 4) AS answers_per_turn,
       TRY_CAST(coalesce(f.calls, 0) AS BIGINT) AS tool_calls,
       round(coalesce(f.calls, 0) / f.turns, 4) AS calls_per_turn,
       TRY_CAST(coalesce(f.known, 0) AS BIGINT) AS outcome_known,
       TRY_CAST(coalesce(f.failed, 0) AS BIGINT) AS failed,
       round(f.failed / nullif(f.known, 0), 4) AS failure_rate,
       TRY_CAST(coalesce(f.edits, 0) AS BIGINT) AS edits,
       TRY_CAST(coalesce(f.decided, 0) AS BIGINT) AS decided,
       TRY_CAST(coalesce(f.accepted, 0) AS BIGINT) AS accepted,
       round(f.accepted / nullif(f.decided, 0), 4) AS acceptance_rate,
       TRY_CAST(coalesce(f.placed, 0) AS BIGINT) AS placed,
       TRY_CAST(coalesce(n.attachments, 0) AS BIGINT) AS attachments
FROM figures f
FULL JOIN totals n ON n.kind = f.kind
ORDER BY turns DESC, kind;
COMMENT ON VIEW answers.attachments_effect IS 'How turns with each kind of attachment go, beside turns without any (correlation only); of the attachments, placed were given with a prompt.';
