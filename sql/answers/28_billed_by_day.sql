-- What did Cursor count and bill, by day, project and model?
-- One row per day (in the reader's TimeZone), project and model, the latest day first, then the dearest. The figures are those of files that were handed over
-- (pipeline run --usage, pipeline hook). project is NULL for events of which no conversation is known. What is estimated of turns without an event (pipeline run --estimate)
-- stands in columns of its own, and is in no other figure.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is what the tokens are worth, whether paid or included in the plan; charged_cents is what
-- was charged.
-- included_cents is the part of cost_cents whose events say that the plan includes them, max_mode_cents that of events in Max mode; an event that says nothing of it is in neither.
-- Coverage: of the events, with_tokens record their tokens, with_cost their cost and with_charge what was charged; with_conversation belong to a conversation that is known. left_out events are not counted: they failed
-- and cost nothing, or another event says the same. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
-- Without a row nothing is known yet: pipeline run --usage reads exports of Cursor's dashboard, pipeline hook install has Cursor write down its tokens, pipeline run --estimate estimates.
-- Total: cost_cents, charged_cents, included_cents, max_mode_cents, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, events, with_cost, estimated_cost_cents.
CREATE OR REPLACE VIEW answers.billed_by_day AS
WITH used AS (
    SELECT CAST(occurred_at AS DATE) AS day, project, project_uri, model, event_id, root_conversation_id, input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents,
           estimated_input_tokens, estimated_output_tokens, estimated_cost_cents, estimate_method, kind, max_mode, NULL AS left_out
    FROM main.all_usage
    UNION ALL BY NAME
    SELECT CAST(u.occurred_at AS DATE) AS day, c.project, c.project_uri, u.model, u.event_id AS left_out
    FROM main.usage_events u
    LEFT JOIN main.all_conversations c ON c.source_id = u.source_id AND c.conversation_id = u.conversation_id
    WHERE NOT u.is_counted
)
SELECT day, project, model, round(sum(cost_cents), 4) AS cost_cents, round(sum(charged_cents), 4) AS charged_cents, round(sum(cost_cents) FILTER (WHERE kind = 'included'), 4) AS included_cents, round(sum(cost_cents) FILTER (WHERE max_mode), 4) AS max_mode_cents,
       round(sum(cache_read_tokens) FILTER (WHERE fresh_input_tokens IS NOT NULL AND cache_write_tokens IS NOT NULL)
           / nullif(sum(CAST(fresh_input_tokens AS DOUBLE) + cache_write_tokens + cache_read_tokens), 0), 4) AS cache_share,
       TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(fresh_input_tokens) AS BIGINT) AS fresh_input_tokens, TRY_CAST(sum(cache_write_tokens) AS BIGINT) AS cache_write_tokens,
       TRY_CAST(sum(cache_read_tokens) AS BIGINT) AS cache_read_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
       TRY_CAST(sum(estimated_input_tokens) AS BIGINT) AS estimated_input_tokens, TRY_CAST(sum(estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
       project_uri, count(root_conversation_id) FILTER (WHERE event_id IS NOT NULL) AS with_conversation, count(left_out) AS left_out,
       count(estimated_cost_cents) AS estimated_with_cost, count(coalesce(fresh_input_tokens, output_tokens)) AS with_tokens,
       count(event_id) AS events, count(cost_cents) AS with_cost, count(charged_cents) AS with_charge, count(estimate_method) AS estimated_turns, round(sum(estimated_cost_cents), 4) AS estimated_cost_cents
FROM used
GROUP BY ALL
ORDER BY day DESC NULLS LAST, sum(cost_cents) DESC NULLS LAST, project_uri NULLS LAST, model NULLS LAST;
COMMENT ON VIEW answers.billed_by_day IS 'Tokens and cost that Cursor counted, per day, project and model; of the events, with_tokens record their tokens and with_cost their cost. Estimates stand apart.';
