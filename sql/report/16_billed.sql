-- What did Cursor count and bill, day by day?
-- One row per day (in the reader's TimeZone), project and model, of events that Cursor counted, with estimates of turns without one beside them: answer billed_by_day. input_tokens are
-- those that were not read from the cache. Every column may be summed. Costs are US cents.
-- Coverage: of the events, with_tokens record their tokens, with_cost their cost and with_charge what was charged. estimated_turns counts turns without a known event; of these, estimated_with_cost have an estimated cost.
CREATE OR REPLACE VIEW report.billed AS
SELECT day, project, project_uri, model, events, with_tokens, with_cost, with_charge, with_conversation,
       TRY_CAST(CAST(fresh_input_tokens AS HUGEINT) + coalesce(cache_write_tokens, 0) AS BIGINT) AS input_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents,
       estimated_turns, estimated_with_cost, estimated_cost_cents
FROM answers.billed_by_day
WHERE events > 0 OR estimated_turns > 0;
COMMENT ON VIEW report.billed IS 'Tokens and cost that Cursor counted, per day, project and model, and estimates beside them; the columns with_... say of how many events.';
