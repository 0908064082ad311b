-- How much is known? For each source and measure, of how many live rows (total) the store recorded it (known). Empty conversations
-- count only in conversation_empty.
-- Summed over sources: SELECT measure, sum(known), sum(total) FROM coverage GROUP BY measure.
CREATE OR REPLACE VIEW coverage AS
WITH conversation_figures AS (
    SELECT source_id, count(*) AS total,
           count(project_uri) AS project, count(title) AS title, count(created_at) AS created_at, count(model) AS model,
           count(*) FILTER (WHERE input_tokens IS NOT NULL OR output_tokens IS NOT NULL) AS tokens,
           count(cost_cents) AS cost,
           count(context_tokens_used) AS context_tokens
    FROM live_conversations
    WHERE message_count > 0 OR missing_message_count > 0
    GROUP BY source_id
), empty_figures AS (
    SELECT source_id, count(*) AS total, count(*) FILTER (WHERE message_count = 0 AND missing_message_count = 0) AS empty
    FROM live_conversations
    GROUP BY source_id
), billed AS (
    SELECT DISTINCT source_id, conversation_id, message_id FROM usage_events WHERE is_counted AND message_id IS NOT NULL
), message_figures AS (
    SELECT m.source_id, count(*) AS total,
           count(*) FILTER (WHERE role = 'user' AND NOT is_simulated) AS prompts, count(b.message_id) FILTER (WHERE role = 'user' AND NOT is_simulated) AS billed,
           count(*) FILTER (WHERE role = 'assistant') AS answers,
           count(*) FILTER (WHERE role IN ('user', 'assistant')) AS role_known,
           count(*) FILTER (WHERE created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS real_time,
           count(created_at) AS any_time,
           count(model) FILTER (WHERE role = 'assistant') AS model,
           count(*) FILTER (WHERE role = 'assistant' AND (input_tokens IS NOT NULL OR output_tokens IS NOT NULL)) AS tokens,
           count(*) FILTER (WHERE thinking IS NOT NULL) AS thoughts,
           count(thinking_duration_ms) FILTER (WHERE thinking IS NOT NULL) AS thinking_duration
    FROM live_messages m
    LEFT JOIN billed b ON b.source_id = m.source_id AND b.conversation_id = m.conversation_id AND b.message_id = m.message_id
    GROUP BY m.source_id
), call_figures AS (
    SELECT source_id, count(*) AS total,
           count(*) FILTER (WHERE result_bytes IS NOT NULL AND (result_origin = 'graph'
               OR CASE WHEN name IS NULL THEN tool_number IS NULL OR tool_number NOT IN (40, 41) ELSE name NOT IN ('read_file_v2', 'ripgrep_raw_search') END)) AS whole,
           count(started_at) AS started_at, count(duration_ms) AS duration, count(is_error) AS outcome, count(user_decision) AS decision
    FROM live_tool_calls
    GROUP BY source_id
), edit_figures AS (
    SELECT e.source_id, count(*) AS total, count(e.is_accepted) AS decision
    FROM code_edits e
    SEMI JOIN live_conversations c ON c.source_id = e.source_id AND c.conversation_id = e.conversation_id
    WHERE e.deleted_at IS NULL
    GROUP BY e.source_id
)
SELECT s.source_id, x.measure, coalesce(x.known, 0) AS known, coalesce(x.total, 0) AS total, x.of_what
FROM sources s
LEFT JOIN conversation_figures c ON c.source_id = s.source_id
LEFT JOIN empty_figures y ON y.source_id = s.source_id
LEFT JOIN message_figures m ON m.source_id = s.source_id
LEFT JOIN call_figures t ON t.source_id = s.source_id
LEFT JOIN edit_figures e ON e.source_id = s.source_id
CROSS JOIN LATERAL (VALUES
    ('message_time', m.real_time, m.total, 'messages; recorded times: of the message, its header, its tool call, its timing, the agent''s graph or a tag'),
    ('message_time_inherited', m.any_time, m.total, 'messages; real or inherited times'),
    ('message_role', m.role_known, m.total, 'messages'),
    ('message_model', m.model, m.answers, 'assistant messages'),
    ('message_tokens', m.tokens, m.answers, 'assistant messages'),
    ('prompt_usage', m.billed, m.prompts, 'prompts; an event that Cursor counted is known of them (usage_events)'),
    ('thinking_duration', m.thinking_duration, m.thoughts, 'messages with thinking'),
    ('tool_result', t.whole, t.total, 'tool calls; a result that is more than the note that the editor keeps of files and searches'),
    ('tool_start', t.started_at, t.total, 'tool calls'),
    ('tool_duration', t.duration, t.total, 'tool calls'),
    ('tool_outcome', t.outcome, t.total, 'tool calls; is_error is not NULL'),
    ('tool_decision', t.decision, t.total, 'tool calls'),
    ('edit_decision', e.decision, e.total, 'code edits'),
    ('conversation_project', c.project, c.total, 'conversations'),
    ('conversation_title', c.title, c.total, 'conversations'),
    ('conversation_created', c.created_at, c.total, 'conversations'),
    ('conversation_model', c.model, c.total, 'conversations'),
    ('conversation_tokens', c.tokens, c.total, 'conversations'),
    ('conversation_cost', c.cost, c.total, 'conversations'),
    ('conversation_context', c.context_tokens, c.total, 'conversations'),
    ('conversation_empty', y.empty, y.total, 'conversations with the empty ones; known ones have no message, and none is missing')
) AS x(measure, known, total, of_what)
WHERE s.app NOT IN ('git', 'ai-tracking', 'plans', 'usage'); -- they have no conversation
COMMENT ON VIEW coverage IS 'For each source and measure: of total live rows, known ones record it. of_what names the rows.';
