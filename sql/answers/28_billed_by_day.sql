-- What did Cursor count and bill, by day, project and model?
-- One row per day (in the reader's TimeZone), project and model, the latest day first, then the dearest. The figures are those of files that were handed over
-- (pipeline run --usage, pipeline hook): nothing is estimated. project is NULL for events of which no conversation is known.
-- cache_share is the part of the input that was read from the cache. Costs are US cents: cost_cents is worth, paid or included, charged_cents what was charged.
-- Coverage: with_tokens and with_cost of events record them; with_conversation of them belong to a conversation. left_out events are not counted: they failed and cost
-- nothing, or another event says the same.
CREATE OR REPLACE VIEW billed_by_day AS
SELECT CAST(u.occurred_at AS DATE) AS day, c.project, c.project_uri, u.model,
       count(*) FILTER (WHERE u.is_counted) AS events,
       TRY_CAST(sum(u.fresh_input_tokens) FILTER (WHERE u.is_counted) AS BIGINT) AS fresh_input_tokens,
       TRY_CAST(sum(u.cache_write_tokens) FILTER (WHERE u.is_counted) AS BIGINT) AS cache_write_tokens,
       TRY_CAST(sum(u.cache_read_tokens) FILTER (WHERE u.is_counted) AS BIGINT) AS cache_read_tokens,
       TRY_CAST(sum(u.output_tokens) FILTER (WHERE u.is_counted) AS BIGINT) AS output_tokens,
       round(sum(u.cache_read_tokens) FILTER (WHERE u.is_counted AND u.fresh_input_tokens IS NOT NULL AND u.cache_write_tokens IS NOT NULL)
           / nullif(sum(CAST(u.fresh_input_tokens AS DOUBLE) + u.cache_write_tokens + u.cache_read_tokens) FILTER (WHERE u.is_counted), 0), 4) AS cache_share,
       round(sum(u.cost_cents) FILTER (WHERE u.is_counted), 4) AS cost_cents, round(sum(u.charged_cents) FILTER (WHERE u.is_counted), 4) AS charged_cents,
       count(coalesce(u.fresh_input_tokens, u.output_tokens)) FILTER (WHERE u.is_counted) AS with_tokens,
       count(u.cost_cents) FILTER (WHERE u.is_counted) AS with_cost,
       count(u.conversation_id) FILTER (WHERE u.is_counted) AS with_conversation,
       count(*) FILTER (WHERE NOT u.is_counted) AS left_out
FROM usage_events u
LEFT JOIN conversations c ON c.source_id = u.source_id AND c.conversation_id = u.conversation_id
GROUP BY ALL
ORDER BY day DESC NULLS LAST, sum(u.cost_cents) FILTER (WHERE u.is_counted) DESC NULLS LAST, c.project_uri NULLS LAST, u.model NULLS LAST;
COMMENT ON VIEW billed_by_day IS 'Tokens and cost that Cursor counted, per day, project and model; with_tokens and with_cost of events record them.';
