-- What did I ask, how long did I wait, how did it end, and what did it cost? One row per prompt that a person typed in a live conversation. Prompts of subagents, of best-of-N copies, those
-- that a fork repeats and those that an edited prompt left behind are not here. Its messages are those of the same turn.
-- outcome is that of the turn's last message, compactions and messages without anything left out, as Cursor's notices are: failed (an error), aborted (its call was aborted or cancelled; or it is the chat's last turn, and the chat was aborted), answered (it is the
-- assistant's text), else unknown. waited_ms is the time from the prompt to that message; NULL where one of the two times is not recorded.
-- model is the last one that a message of the turn records. files_changed counts the files of calls that edit and did not fail; NULL where no such call records its file, lines_added and
-- lines_removed where none records its lines.
-- Tokens and cents are those of the events that Cursor counted (usage_events); tokens of turns without an event are those of their messages. input_tokens has those read from the cache, too.
-- worth_cents is what the tokens are worth, charged_cents what was charged.
CREATE OR REPLACE VIEW turns AS
WITH shown AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.position, m.turn, m.role, m.kind, m.text, m.model, m.mode, m.error, m.created_at, m.input_tokens, m.cache_read_tokens, m.output_tokens,
           m.is_repeat, m.is_simulated, CASE WHEN m.kind NOT IN ('empty', 'compaction') OR m.error IS NOT NULL THEN m.position END AS ends_at, c.project_uri, c.project, c.display_title AS title, c.mode AS chat_mode, c.status, max(m.turn) OVER (PARTITION BY m.source_id, m.conversation_id) AS last_turn,
           CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN epoch_ms(m.created_at) END AS sent_ms
    FROM messages m
    JOIN live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL AND m.is_listed AND NOT c.is_subagent AND c.best_of_parent_id IS NULL
), calls AS (
    SELECT source_id, conversation_id, message_id, count(*) AS tool_calls, count(*) FILTER (WHERE is_error) AS failed_calls, count(*) FILTER (WHERE tool_kind = 'shell') AS commands,
           sum(lines_added) AS lines_added, sum(lines_removed) AS lines_removed, list(DISTINCT file_path) FILTER (WHERE tool_kind = 'edit' AND is_error IS NOT TRUE) AS files,
           count(*) FILTER (WHERE tool_kind = 'edit' AND is_error IS NOT TRUE AND file_path IS NULL) AS edits_without_file, arg_max(outcome, call_index) AS outcome
    FROM tool_calls
    WHERE deleted_at IS NULL
    GROUP BY source_id, conversation_id, message_id
), used AS (
    SELECT source_id, conversation_id, message_id, sum(CAST(fresh_input_tokens AS HUGEINT) + coalesce(cache_write_tokens, 0) + coalesce(cache_read_tokens, 0)) AS input_tokens,
           sum(cache_read_tokens) AS cache_read_tokens, sum(output_tokens) AS output_tokens, sum(cost_cents) AS worth_cents, sum(charged_cents) AS charged_cents
    FROM usage_events
    WHERE is_counted AND message_id IS NOT NULL
    GROUP BY source_id, conversation_id, message_id
), ended AS (
    SELECT s.source_id, s.conversation_id, s.turn, max_by(s.kind, s.ends_at) AS kind, max_by(s.role, s.ends_at) AS role, max_by(struct_pack(error := s.error), s.ends_at).error AS error,
           max_by(struct_pack(ms := s.sent_ms), s.ends_at).ms AS ended_ms, max_by(struct_pack(outcome := c.outcome), s.ends_at).outcome AS call_outcome, max_by(s.model, s.position) AS model,
           sum(c.tool_calls) AS tool_calls, sum(c.failed_calls) AS failed_calls, sum(c.commands) AS commands, sum(c.lines_added) AS lines_added, sum(c.lines_removed) AS lines_removed,
           len(list_distinct(flatten(list(c.files) FILTER (WHERE c.files IS NOT NULL)))) AS files, sum(c.edits_without_file) AS edits_without_file,
           sum(s.input_tokens) AS input_tokens, sum(s.cache_read_tokens) AS cache_read_tokens, sum(s.output_tokens) AS output_tokens
    FROM shown s
    LEFT JOIN calls c ON c.source_id = s.source_id AND c.conversation_id = s.conversation_id AND c.message_id = s.message_id
    GROUP BY s.source_id, s.conversation_id, s.turn
)
SELECT p.source_id, p.conversation_id, p.message_id, p.turn, p.created_at AS asked_at, p.project, p.title, p.text, coalesce(p.mode, p.chat_mode) AS mode, e.model,
       CASE WHEN e.ended_ms >= p.sent_ms AND (e.role <> 'user' OR e.kind = 'error') THEN e.ended_ms - p.sent_ms END AS waited_ms,
       CASE WHEN e.kind = 'error' OR e.error IS NOT NULL THEN 'failed'
            WHEN e.call_outcome IN ('aborted', 'cancelled') OR p.turn = p.last_turn AND p.status = 'aborted' THEN 'aborted'
            WHEN e.kind = 'text' AND e.role = 'assistant' THEN 'answered'
            ELSE 'unknown' END AS outcome,
       e.error, TRY_CAST(coalesce(e.tool_calls, 0) AS BIGINT) AS tool_calls, TRY_CAST(coalesce(e.failed_calls, 0) AS BIGINT) AS failed_calls,
       CASE WHEN e.files > 0 OR coalesce(e.edits_without_file, 0) = 0 THEN coalesce(e.files, 0) END AS files_changed,
       TRY_CAST(e.lines_added AS BIGINT) AS lines_added, TRY_CAST(e.lines_removed AS BIGINT) AS lines_removed, TRY_CAST(coalesce(e.commands, 0) AS BIGINT) AS commands,
       TRY_CAST(CASE WHEN u.message_id IS NULL THEN e.input_tokens ELSE u.input_tokens END AS BIGINT) AS input_tokens,
       TRY_CAST(CASE WHEN u.message_id IS NULL THEN e.cache_read_tokens ELSE u.cache_read_tokens END AS BIGINT) AS cache_read_tokens,
       TRY_CAST(CASE WHEN u.message_id IS NULL THEN e.output_tokens ELSE u.output_tokens END AS BIGINT) AS output_tokens,
       round(u.worth_cents, 4) AS worth_cents, round(u.charged_cents, 4) AS charged_cents, p.project_uri
FROM shown p
JOIN ended e ON e.source_id = p.source_id AND e.conversation_id = p.conversation_id AND e.turn = p.turn
LEFT JOIN used u ON u.source_id = p.source_id AND u.conversation_id = p.conversation_id AND u.message_id = p.message_id
WHERE p.role = 'user' AND NOT p.is_simulated AND NOT p.is_repeat;
COMMENT ON VIEW turns IS 'One row per prompt that a person typed, with what came of it: wait, outcome, calls, files, tokens, cents; no join needed.';
