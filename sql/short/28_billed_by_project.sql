-- What did each project cost?
-- One row per project, the dearest first; the row without a project has what belongs to none. usd is what the tokens are worth, whether paid or included in the plan; estimated_usd is for turns without a known event, and in no other figure.
-- Coverage: known counts the events that record a cost.
CREATE OR REPLACE VIEW answers.billed_by_project_short AS
SELECT project, conversations, TRY_CAST(cost_cents / 100 AS DECIMAL(18, 2)) AS usd, events, with_cost AS known, TRY_CAST(estimated_cost_cents / 100 AS DECIMAL(18, 2)) AS estimated_usd
FROM answers.billed_by_project
ORDER BY cost_cents DESC NULLS LAST, estimated_cost_cents DESC NULLS LAST, project NULLS LAST;
COMMENT ON VIEW answers.billed_by_project_short IS 'Cost per project.';
COMMENT ON COLUMN answers.billed_by_project_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.billed_by_project_short.conversations IS 'Conversations of which an event or an estimate is known.';
COMMENT ON COLUMN answers.billed_by_project_short.usd IS 'What Cursor counted, in US dollars.';
COMMENT ON COLUMN answers.billed_by_project_short.events IS 'Events that count.';
COMMENT ON COLUMN answers.billed_by_project_short.known IS 'Events that record a cost.';
COMMENT ON COLUMN answers.billed_by_project_short.estimated_usd IS 'Estimate of turns that Cursor did not count, in US dollars.';
