-- How long was each session?
-- One row per session, longest first. A session is what table sessions has: conversations of a project that follow each other with no longer
-- pause than the session gap (30 minutes unless set), subagents apart. title is the first display_title of its conversations.
-- length_ms runs from the start of the first conversation to the last message that records its time: a chat that is resumed days later makes
-- a session of days. active_ms leaves such pauses out: it is the sum of the steps from one such message to the next that are no longer than
-- the gap. Both are lower bounds, and NULL where no message of the session records its time (active_ms of one such message is 0).
-- prompts are the user's messages without repeats of them, which a fork has from the conversation that it came from. Best-of-N copies are apart, as subagents are.
-- Coverage: of the messages, real_times record their own time; has_real_end says whether any does, so that ended_at is a message's time.
CREATE OR REPLACE VIEW answers.session_lengths AS
WITH gap AS (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) AS gap_ms FROM internal._meta WHERE key = 'session_gap_ms'
), members AS (
    SELECT source_id, conversation_id, session_id
    FROM main.live_conversations
    WHERE session_id IS NOT NULL AND NOT is_subagent AND best_of_parent_id IS NULL
), opening AS (
    SELECT session_id, min_by(display_title, (epoch_ms(coalesce(created_at, first_message_at, updated_at)), conversation_id)) AS title
    FROM main.live_conversations
    WHERE session_id IS NOT NULL AND NOT is_subagent AND best_of_parent_id IS NULL AND display_title IS NOT NULL
    GROUP BY session_id
), steps AS (
    SELECT c.session_id,
           epoch_ms(m.created_at) - lag(epoch_ms(m.created_at)) OVER (PARTITION BY c.session_id ORDER BY m.created_at) AS step_ms
    FROM main.messages m
    JOIN members c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
), measured AS (
    SELECT session_id, count(*) AS real_times, coalesce(sum(step_ms) FILTER (WHERE step_ms <= gap.gap_ms), 0) AS active_ms
    FROM steps, gap
    GROUP BY session_id
), repeated AS (
    SELECT c.session_id, count(*) AS repeats
    FROM main.messages m
    JOIN members c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.is_repeat AND m.role = 'user' AND NOT m.is_simulated AND m.deleted_at IS NULL
    GROUP BY c.session_id
)
SELECT s.session_id, s.source_id, s.project, s.project_uri, f.title, s.started_at, s.ended_at,
       CASE WHEN t.real_times > 0 THEN s.duration_ms END AS length_ms,
       TRY_CAST(t.active_ms AS BIGINT) AS active_ms,
       s.conversation_count AS conversations, s.message_count AS messages, TRY_CAST(CAST(s.user_message_count AS HUGEINT) - coalesce(r.repeats, 0) AS BIGINT) AS prompts, s.tool_call_count AS tool_calls,
       coalesce(t.real_times, 0) AS real_times,
       t.real_times IS NOT NULL AS has_real_end,
       coalesce(r.repeats, 0) AS repeats
FROM main.live_sessions s
LEFT JOIN opening f ON f.session_id = s.session_id
LEFT JOIN measured t ON t.session_id = s.session_id
LEFT JOIN repeated r ON r.session_id = s.session_id
ORDER BY length_ms DESC NULLS LAST, s.started_at DESC, s.session_id;
COMMENT ON VIEW answers.session_lengths IS 'Length of each session, with and without pauses; NULL where no message records its time (of the messages, real_times do).';
