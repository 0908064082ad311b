-- What did each conversation cost, with its subagents?
-- One row per conversation of which an event or an estimate is known, the dearest first, with what its subagents cost: subagents have no row of their own. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the conversation's events that record a cost.
CREATE OR REPLACE VIEW answers.billed_by_conversation_short AS
SELECT title, project, TRY_CAST(total_cost_cents / 100 AS DECIMAL(18, 2)) AS usd, with_cost AS known, events,
       TRY_CAST((coalesce(estimated_cost_cents + subagents_estimated_cost_cents, estimated_cost_cents, subagents_estimated_cost_cents)) / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_conversation
WHERE is_subagent IS NOT TRUE
ORDER BY total_cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, conversation_id, source_id;
COMMENT ON VIEW answers.billed_by_conversation_short IS 'Cost of each conversation, with its subagents.';
COMMENT ON COLUMN answers.billed_by_conversation_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.billed_by_conversation_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.billed_by_conversation_short.usd IS 'What Cursor counted, in US dollars.';
COMMENT ON COLUMN answers.billed_by_conversation_short.known IS 'Events of the conversation itself that record a cost.';
COMMENT ON COLUMN answers.billed_by_conversation_short.events IS 'Events of the conversation itself.';
COMMENT ON COLUMN answers.billed_by_conversation_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
