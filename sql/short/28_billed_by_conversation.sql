-- What did each conversation cost, with its subagents?
-- One row per conversation of which an event or an estimate is known, the dearest first, with what its subagents cost: subagents have no row of their own. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the conversation's events that record a cost.
-- Total: usd, charged_usd, input_tokens, output_tokens, known, estimated_usd.
CREATE OR REPLACE VIEW answers.billed_by_conversation_short AS
SELECT title,
       project,
       TRY_CAST(total_cost_cents / 100 AS DECIMAL(18, 2)) AS usd,
       TRY_CAST(total_charged_cents / 100 AS DECIMAL(18, 2)) AS charged_usd,
       total_input_tokens AS input_tokens,
       total_output_tokens AS output_tokens,
       with_cost AS known,
       TRY_CAST(coalesce(estimated_cost_cents + subagents_estimated_cost_cents, estimated_cost_cents, subagents_estimated_cost_cents) / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_conversation
WHERE is_subagent IS NOT TRUE
ORDER BY total_cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, conversation_id, source_id;
COMMENT ON VIEW answers.billed_by_conversation_short IS 'Cost of each conversation, with its subagents.';
COMMENT ON COLUMN answers.billed_by_conversation_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.billed_by_conversation_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.billed_by_conversation_short.usd IS 'What the tokens are worth, in US dollars.';
COMMENT ON COLUMN answers.billed_by_conversation_short.charged_usd IS 'What was charged, in US dollars.';
COMMENT ON COLUMN answers.billed_by_conversation_short.input_tokens IS 'Input tokens, those read from the cache too.';
COMMENT ON COLUMN answers.billed_by_conversation_short.output_tokens IS 'Output tokens.';
COMMENT ON COLUMN answers.billed_by_conversation_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_conversation_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
