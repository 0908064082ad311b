-- How long does it take from a prompt to the first accepted edit?
-- One row per prompt (a user message, without those that a fork repeats) whose turn proposed an edit (see code_edit_outcomes), the longest wait for an accepted edit first. The wait
-- ends when the accepted edit was proposed: when the user accepted it is recorded nowhere. Both ends are recorded times, none inherited, and an
-- edit from before its prompt (a clock that was set) is passed over; without such a pair the wait is NULL.
-- repeats are the edits of all conversations that a fork repeats; they are left out, and their number is the same in every row.
-- The median per project: SELECT project, median(first_accepted_ms), count(first_accepted_ms) AS known, count(*) AS prompts FROM answers.time_to_first_edit GROUP BY ALL.
-- Coverage: of the proposed edits, timed have a time at or after their prompt's; of the accepted ones, timed_accepted do. prompt_at is NULL where the prompt has no recorded time.
CREATE OR REPLACE VIEW answers.time_to_first_edit AS
WITH prompts AS (
    SELECT source_id, conversation_id, message_id, turn, text,
           CASE WHEN created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN created_at END AS prompt_at
    FROM main.live_messages
    WHERE role = 'user' AND NOT is_simulated AND NOT is_repeat
), waits AS (
    SELECT e.source_id, e.project_uri, e.project, e.conversation_id, e.title, p.message_id, p.turn, p.prompt_at, p.text, e.is_accepted, e.repeats,
           CASE WHEN e.proposed_at >= p.prompt_at THEN epoch_ms(e.proposed_at) - epoch_ms(p.prompt_at) END AS wait_ms
    FROM answers.code_edit_outcomes e
    JOIN prompts p ON p.source_id = e.source_id AND p.conversation_id = e.conversation_id AND p.turn = e.turn
)
SELECT source_id, project_uri, project, conversation_id, title, message_id, turn, prompt_at,
       any_value(left(text, 200)) AS prompt,
       count(*) AS proposed,
       count(wait_ms) AS timed,
       count(*) FILTER (WHERE is_accepted) AS accepted,
       count(wait_ms) FILTER (WHERE is_accepted) AS timed_accepted,
       count(*) FILTER (WHERE NOT is_accepted) AS rejected,
       min(wait_ms) AS first_proposed_ms,
       min(wait_ms) FILTER (WHERE is_accepted) AS first_accepted_ms,
       any_value(repeats) AS repeats
FROM waits
GROUP BY source_id, project_uri, project, conversation_id, title, message_id, turn, prompt_at
ORDER BY first_accepted_ms DESC NULLS LAST, first_proposed_ms DESC NULLS LAST, prompt_at DESC NULLS LAST, source_id, conversation_id, turn;
COMMENT ON VIEW answers.time_to_first_edit IS 'Prompts with the time to their first proposed and accepted edit; of the proposed edits, timed have both times.';
