-- What did each prompt cost?
-- One row per prompt of which an event that Cursor counted is known (pipeline run --usage, pipeline hook), or an estimate (pipeline run --estimate), the dearest first. outcome is failed if a message of the turn is an
-- error, else rejected if a tool call of it was, else done: what failed turns cost is the sum of these. A subagent's turns are its own: parent_conversation_id names who
-- started it. Costs are US cents; NULL: not recorded.
-- Coverage: of the turn's events, with_cost record a cost; unassigned events (the same in every row) belong to no turn. A turn without an event has its estimate in columns of its own, and how
-- it was made (turn_estimates.method).
-- Total: cost_cents, charged_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_turn AS
WITH turns AS (
    SELECT source_id, conversation_id, message_id, count(event_id) AS events, count(cost_cents) AS with_cost, min(occurred_at) AS occurred_at, string_agg(DISTINCT model, ', ' ORDER BY model) AS models,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
           TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens, round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents,
           any_value(estimated_input_tokens) AS estimated_input_tokens, any_value(estimated_output_tokens) AS estimated_output_tokens, any_value(estimated_cost_cents) AS estimated_cost_cents,
           any_value(estimate_method) AS estimate_method
    FROM main.all_usage
    WHERE source_id IS NOT NULL AND message_id IS NOT NULL
    GROUP BY source_id, conversation_id, message_id
), failed AS (
    SELECT p.source_id, p.conversation_id, p.message_id, bool_or(m.kind = 'error' OR m.error IS NOT NULL) AS has_error, bool_or(t.user_decision = 'rejected') AS has_rejected
    FROM turns p
    JOIN main.messages o ON o.source_id = p.source_id AND o.conversation_id = p.conversation_id AND o.message_id = p.message_id
    JOIN main.messages m ON m.source_id = o.source_id AND m.conversation_id = o.conversation_id AND m.turn = o.turn AND (m.deleted_at IS NULL OR o.deleted_at IS NOT NULL)
    LEFT JOIN main.tool_calls t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.message_id = m.message_id
    GROUP BY p.source_id, p.conversation_id, p.message_id
)
SELECT c.project, left(m.text, 200) AS prompt, p.cost_cents, CASE WHEN f.has_error THEN 'failed' WHEN f.has_rejected THEN 'rejected' ELSE 'done' END AS outcome, p.charged_cents, p.models, p.occurred_at,
       p.input_tokens, p.fresh_input_tokens, p.cache_write_tokens, p.cache_read_tokens, p.output_tokens, c.display_title, p.source_id, p.conversation_id, p.message_id, c.is_subagent, c.parent_conversation_id,
       (SELECT count(*) FROM main.usage_events WHERE is_counted AND message_id IS NULL) AS unassigned,
       p.estimate_method, p.estimated_input_tokens, p.estimated_output_tokens, p.events, p.with_cost, round(p.estimated_cost_cents, 4) AS estimated_cost_cents
FROM turns p
JOIN main.all_conversations c ON c.source_id = p.source_id AND c.conversation_id = p.conversation_id
LEFT JOIN main.messages m ON m.source_id = p.source_id AND m.conversation_id = p.conversation_id AND m.message_id = p.message_id
LEFT JOIN failed f ON f.source_id = p.source_id AND f.conversation_id = p.conversation_id AND f.message_id = p.message_id
ORDER BY p.cost_cents DESC NULLS LAST, p.estimated_cost_cents DESC NULLS LAST, coalesce(CAST(p.fresh_input_tokens AS DOUBLE), 0) + coalesce(p.output_tokens, 0) DESC, p.conversation_id, p.message_id;
COMMENT ON VIEW answers.billed_by_turn IS 'Tokens and cost that Cursor counted for each prompt, and how its turn ended; unassigned events belong to no turn.';
