-- What did each model cost?
-- One row per model as Cursor bills it, the dearest first. A model without an event may have estimates: an estimate has the model's name as the store has it.
-- cents_per_prompt is the mean cost of those prompts that have a known cost.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what
-- was charged.
-- included_cents is the part of cost_cents whose events say that the plan includes them, max_mode_cents that of events in Max mode; an event that says nothing of it is in neither.
-- Coverage: of the events, with_tokens record their tokens and with_cost their cost. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
-- Estimated tokens and costs are only in the columns with estimated in their names; first_at and last_at cover both events and estimates. An event may be known, but not the
-- turn that it belongs to: then the turn may have an estimate, too.
-- Total: cost_cents, charged_cents, included_cents, max_mode_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_model AS
SELECT model, round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents, round(sum(cost_cents) FILTER (WHERE kind = 'included'), 4) AS included_cents, round(sum(cost_cents) FILTER (WHERE max_mode), 4) AS max_mode_cents,
       round(sum(cost_cents) FILTER (WHERE message_id IS NOT NULL) / nullif(count(DISTINCT concat_ws('/', source_id, conversation_id, message_id)) FILTER (WHERE message_id IS NOT NULL AND cost_cents IS NOT NULL), 0), 4) AS cents_per_prompt,
       round(sum(cache_read_tokens) FILTER (WHERE fresh_input_tokens IS NOT NULL AND cache_write_tokens IS NOT NULL)
           / nullif(sum(CAST(fresh_input_tokens AS DOUBLE) + cache_write_tokens + cache_read_tokens), 0), 4) AS cache_share,
       TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
       TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
       TRY_CAST(sum(estimated_input_tokens) AS BIGINT) AS estimated_input_tokens, TRY_CAST(sum(estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
       min(occurred_at) AS first_at, max(occurred_at) AS last_at, count(estimated_cost_cents) AS estimated_with_cost, count(coalesce(fresh_input_tokens, output_tokens)) AS with_tokens,
       count(event_id) AS events, count(cost_cents) AS with_cost, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
FROM main.all_usage
GROUP BY model
ORDER BY sum(cost_cents) DESC NULLS LAST, sum(estimated_cost_cents) DESC NULLS LAST, model NULLS LAST;
COMMENT ON VIEW answers.billed_by_model IS 'Tokens and cost that Cursor counted, per model. Estimates stand apart.';
