-- What did each conversation cost, with its subagents?
-- One row per conversation of which an event or an estimate is known, the dearest first with what its subagents cost. The figures are the conversation's own; subagents is the number of its
-- subagents (at any depth) of which something is known, subagents_cost_cents what they cost, total_cost_cents both together. A subagent has a row of its own, too: so add up
-- cost_cents, or total_cost_cents of rows that are no subagents.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what
-- was charged.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
-- Estimated tokens and costs are only in the columns with estimated in their names; models, first_at and last_at cover both events and estimates. An event may be known, but not the
-- turn that it belongs to: then the turn may have an estimate, too.
-- Total: cost_cents, charged_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_conversation AS
WITH own AS (
    SELECT source_id, conversation_id, any_value(title) AS title, any_value(project) AS project, any_value(project_uri) AS project_uri, bool_or(is_subagent) AS is_subagent,
           any_value(parent_conversation_id) AS parent_conversation_id, any_value(root_conversation_id) AS root_conversation_id,
           min(occurred_at) AS first_at, max(occurred_at) AS last_at, string_agg(DISTINCT model, ', ' ORDER BY model) AS models,
           round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents,
           round(sum(cache_read_tokens) FILTER (WHERE fresh_input_tokens IS NOT NULL AND cache_write_tokens IS NOT NULL)
               / nullif(sum(CAST(fresh_input_tokens AS DOUBLE) + cache_write_tokens + cache_read_tokens), 0), 4) AS cache_share,
           TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
           TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
           TRY_CAST(sum(estimated_input_tokens) AS BIGINT) AS estimated_input_tokens, TRY_CAST(sum(estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
           count(estimated_cost_cents) AS estimated_with_cost, count(coalesce(fresh_input_tokens, output_tokens)) AS with_tokens,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens,
           count(event_id) AS events, count(cost_cents) AS with_cost, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
    FROM main.all_usage
    WHERE conversation_id IS NOT NULL
    GROUP BY source_id, conversation_id
), below AS (
    SELECT root_conversation_id AS conversation_id, count(*) AS subagents, round(sum(cost_cents), 4) AS subagents_cost_cents, round(sum(charged_cents), 4) AS charged_cents,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens, round(sum(estimated_cost_cents), 4) AS subagents_estimated_cost_cents
    FROM own
    WHERE conversation_id <> root_conversation_id
    GROUP BY root_conversation_id
)
SELECT o.title, o.project, o.conversation_id, round(coalesce(o.cost_cents + b.subagents_cost_cents, o.cost_cents, b.subagents_cost_cents), 4) AS total_cost_cents,
       round(coalesce(o.charged_cents + b.charged_cents, o.charged_cents, b.charged_cents), 4) AS total_charged_cents,
       TRY_CAST(coalesce(CAST(o.input_tokens AS HUGEINT) + b.input_tokens, o.input_tokens, b.input_tokens) AS BIGINT) AS total_input_tokens,
       TRY_CAST(coalesce(CAST(o.output_tokens AS HUGEINT) + b.output_tokens, o.output_tokens, b.output_tokens) AS BIGINT) AS total_output_tokens, o.cost_cents, b.subagents_cost_cents,
       coalesce(b.subagents, 0) AS subagents, b.subagents_estimated_cost_cents, o.* EXCLUDE (title, project, conversation_id, cost_cents, root_conversation_id)
FROM own o
LEFT JOIN below b ON b.conversation_id = o.conversation_id
UNION ALL BY NAME -- a conversation of which nothing is known but what its subagents took
SELECT c.source_id, c.conversation_id, c.display_title AS title, c.project, c.project_uri, c.is_subagent, c.parent_conversation_id, 0 AS events, 0 AS with_tokens, 0 AS with_cost,
       0 AS estimated_turns, 0 AS estimated_with_cost, b.subagents, b.subagents_cost_cents, b.subagents_estimated_cost_cents, b.subagents_cost_cents AS total_cost_cents, b.charged_cents AS total_charged_cents, b.input_tokens AS total_input_tokens,
       b.output_tokens AS total_output_tokens
FROM below b
JOIN main.all_conversations c ON c.conversation_id = b.conversation_id
ANTI JOIN (FROM main.conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
ANTI JOIN own o ON o.conversation_id = b.conversation_id
ORDER BY total_cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, conversation_id, source_id;
COMMENT ON VIEW answers.billed_by_conversation IS 'Tokens and cost that Cursor counted, per conversation, and what its subagents cost. Estimates stand apart.';
