-- Which conversations ended without an answer?
-- One row per live conversation that has a message and ended so, the latest first; a draft that was never sent has none and is not here. The end
-- is its last message in order; messages that no header names are passed over, unless the conversation lists none. reason is the first that holds:
-- unanswered (the last message is the user's), error (it is an error that ended the turn), tool_running (its last tool call is loading, pending or
-- generating, which may be going on as the store is read), tool_cancelled (cancelled or aborted), tool_rejected (the user said no), tool_failed
-- (it failed, and nothing was said about it), aborted (the conversation's own status says so, whatever was last).
-- A last message that is text, a thought or a successful call counts as an answer, whether it helped or not.
-- lines are Cursor's own totals, else the sums over the calls of edit tools whose lines are recorded; NULL where there is neither.
-- repeats counts the calls that a fork repeats; no other column includes them. Cursor's totals name no messages, so what a fork repeats of them cannot be told.
-- Coverage: missing_messages are named by the headers and not in the store, so the answer may be among them; of the edit_calls, call_lines_known have their lines.
CREATE OR REPLACE VIEW answers.abandoned_work AS
WITH shown AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.position, m.role, m.kind
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL AND (m.is_listed OR c.header_count = 0)
), ends AS (
    SELECT source_id, conversation_id, max(position) AS position
    FROM shown
    GROUP BY source_id, conversation_id
), last_messages AS (
    SELECT s.*
    FROM shown s
    JOIN ends e ON e.source_id = s.source_id AND e.conversation_id = s.conversation_id AND e.position = s.position
), last_calls AS (
    SELECT t.source_id, t.conversation_id, t.tool, t.status, t.user_decision, t.is_error, left(t.error, 200) AS error
    FROM main.tool_calls t
    JOIN last_messages l ON l.source_id = t.source_id AND l.conversation_id = t.conversation_id AND l.message_id = t.message_id
    WHERE t.deleted_at IS NULL
    QUALIFY row_number() OVER (PARTITION BY t.source_id, t.conversation_id ORDER BY t.call_index DESC) = 1
), edit_lines AS (
    SELECT source_id, conversation_id, count(*) FILTER (WHERE NOT is_repeat) AS edit_calls, count(lines_added) FILTER (WHERE NOT is_repeat) AS call_lines_known,
           TRY_CAST(sum(lines_added) FILTER (WHERE NOT is_repeat) AS BIGINT) AS lines_added, TRY_CAST(sum(lines_removed) FILTER (WHERE NOT is_repeat) AS BIGINT) AS lines_removed,
           count(*) FILTER (WHERE is_repeat) AS repeats
    FROM main.live_tool_calls
    WHERE tool_kind = 'edit'
    GROUP BY source_id, conversation_id
), reasons AS (
    SELECT l.source_id, l.conversation_id, l.message_id, t.tool, t.error,
           CASE WHEN l.role = 'user' THEN 'unanswered'
                WHEN l.kind = 'error' THEN 'error'
                WHEN t.status IN ('loading', 'pending', 'generating') THEN 'tool_running'
                WHEN t.status IN ('cancelled', 'aborted') THEN 'tool_cancelled'
                WHEN t.user_decision = 'rejected' THEN 'tool_rejected'
                WHEN t.is_error THEN 'tool_failed'
                WHEN c.status = 'aborted' THEN 'aborted' END AS reason
    FROM last_messages l
    JOIN main.live_conversations c ON c.source_id = l.source_id AND c.conversation_id = l.conversation_id
    LEFT JOIN last_calls t ON t.source_id = l.source_id AND t.conversation_id = l.conversation_id
)
SELECT r.source_id, c.project_uri, c.project, r.conversation_id, c.display_title AS title, c.is_subagent, r.reason, c.status, c.last_activity_at AS idle_since,
       c.user_message_count AS prompts, c.message_count AS messages, c.missing_message_count AS missing_messages, c.tool_call_count AS tool_calls,
       coalesce(k.edit_calls, 0) AS edit_calls, coalesce(k.call_lines_known, 0) AS call_lines_known,
       coalesce(c.lines_added, k.lines_added) AS lines_added, coalesce(c.lines_removed, k.lines_removed) AS lines_removed,
       r.message_id AS last_message_id, r.tool AS last_tool,
       coalesce(k.repeats, 0) AS repeats
FROM reasons r
JOIN main.live_conversations c ON c.source_id = r.source_id AND c.conversation_id = r.conversation_id
LEFT JOIN edit_lines k ON k.source_id = r.source_id AND k.conversation_id = r.conversation_id
WHERE r.reason IS NOT NULL
ORDER BY c.last_activity_at DESC NULLS LAST, r.source_id, r.conversation_id;
COMMENT ON VIEW answers.abandoned_work IS 'Conversations that ended without an answer, with the reason; missing_messages may hold the answer.';
