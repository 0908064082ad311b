-- What did each project cost?
-- One row per project, the dearest first, over everything that is known: events that Cursor counted (pipeline run --usage, pipeline hook), and beside them what is estimated of
-- turns without an event (pipeline run --estimate). The row without a project has the events of which no conversation is known, and those of conversations without a project.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what
-- was charged.
-- included_cents is the part of cost_cents whose events say that the plan includes them, max_mode_cents that of events in Max mode; an event that says nothing of it is in neither.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
-- Estimated tokens and costs are only in the columns with estimated in their names; conversations, first_at and last_at cover both events and estimates. An event may be known, but not the
-- turn that it belongs to: then the turn may have an estimate, too.
-- Total: cost_cents, charged_cents, included_cents, max_mode_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_project AS
SELECT project,
       count(DISTINCT conversation_id) AS conversations, round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents, round(sum(cost_cents) FILTER (WHERE kind = 'included'), 4) AS included_cents, round(sum(cost_cents) FILTER (WHERE max_mode), 4) AS max_mode_cents,
       round(sum(cache_read_tokens) FILTER (WHERE fresh_input_tokens IS NOT NULL AND cache_write_tokens IS NOT NULL)
           / nullif(sum(CAST(fresh_input_tokens AS DOUBLE) + cache_write_tokens + cache_read_tokens), 0), 4) AS cache_share,
       TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
       TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
       TRY_CAST(sum(estimated_input_tokens) AS BIGINT) AS estimated_input_tokens, TRY_CAST(sum(estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
       min(occurred_at) AS first_at, max(occurred_at) AS last_at, project_uri, count(*) FILTER (WHERE event_id IS NOT NULL AND join_method = 'none') AS unassigned,
       count(estimated_cost_cents) AS estimated_with_cost, count(coalesce(fresh_input_tokens, output_tokens)) AS with_tokens,
       count(event_id) AS events, count(cost_cents) AS with_cost, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
FROM main.all_usage
GROUP BY project, project_uri
ORDER BY sum(cost_cents) DESC NULLS LAST, sum(estimated_cost_cents) DESC NULLS LAST, project_uri NULLS LAST;
COMMENT ON VIEW answers.billed_by_project IS 'Tokens and cost that Cursor counted, per project; unassigned events belong to no conversation. Estimates stand apart.';
