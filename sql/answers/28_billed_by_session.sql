-- What did each session cost?
-- One row per session (table sessions) of which an event or an estimate is known, the dearest first. A subagent is part of its parent's session.
-- cents_per_hour is the cost in proportion to the session's length, from its start to its last message. The row without a session has what belongs to none.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what
-- was charged.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
-- Estimated tokens and costs are only in the columns with estimated in their names; conversations and models cover both events and estimates. An event may be known, but not the
-- turn that it belongs to: then the turn may have an estimate, too.
-- Total: cost_cents, charged_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_session AS
WITH used AS (
    SELECT session_id, arg_min(title, (occurred_at, conversation_id)) AS title,
           round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents,
           round(sum(cache_read_tokens) FILTER (WHERE fresh_input_tokens IS NOT NULL AND cache_write_tokens IS NOT NULL)
               / nullif(sum(CAST(fresh_input_tokens AS DOUBLE) + cache_write_tokens + cache_read_tokens), 0), 4) AS cache_share,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
           TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
           TRY_CAST(sum(estimated_input_tokens) AS BIGINT) AS estimated_input_tokens, TRY_CAST(sum(estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
           count(DISTINCT conversation_id) AS conversations, string_agg(DISTINCT model, ', ' ORDER BY model) AS models,
           count(estimated_cost_cents) AS estimated_with_cost, count(coalesce(fresh_input_tokens, output_tokens)) AS with_tokens,
           count(event_id) AS events, count(cost_cents) AS with_cost, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
    FROM main.all_usage
    GROUP BY session_id
)
SELECT s.started_at, s.project, u.title, u.cost_cents, round(u.cost_cents * 3600000 / nullif(s.duration_ms, 0), 4) AS cents_per_hour, s.ended_at, u.session_id, s.source_id, s.project_uri,
       u.* EXCLUDE (session_id, title, cost_cents)
FROM used u
LEFT JOIN main.sessions s ON s.session_id = u.session_id
ORDER BY u.cost_cents DESC NULLS LAST, u.estimated_cost_cents DESC NULLS LAST, u.session_id NULLS LAST;
COMMENT ON VIEW answers.billed_by_session IS 'Tokens and cost that Cursor counted, per session. Estimates stand apart.';
