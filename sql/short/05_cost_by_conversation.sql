-- What did each conversation cost, by its own record?
-- One row per conversation for which a cost or a number of requests is recorded, the dearest first. Only old stores recorded this; billed_by_conversation_short has what Cursor billed.
-- Coverage: a conversation without a row is one of unknown cost. usd is NULL where only requests are recorded.
-- Total: usd, requests.
CREATE OR REPLACE VIEW answers.cost_by_conversation_short AS
SELECT any_value(title) AS title, any_value(project) AS project, CAST(any_value(created_at) AS DATE) AS day, count(*) AS models,
       TRY_CAST(sum(cost_cents) / 100 AS DECIMAL(18, 2)) AS usd, TRY_CAST(sum(requests) AS BIGINT) AS requests
FROM answers.cost_by_conversation
GROUP BY source_id, conversation_id
ORDER BY sum(cost_cents) DESC NULLS LAST, sum(requests) DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.cost_by_conversation_short IS 'Cost and requests per conversation, where an old store recorded them.';
COMMENT ON COLUMN answers.cost_by_conversation_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.cost_by_conversation_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.cost_by_conversation_short.day IS 'Day on which the conversation began.';
COMMENT ON COLUMN answers.cost_by_conversation_short.models IS 'Models that it used.';
COMMENT ON COLUMN answers.cost_by_conversation_short.usd IS 'Its cost in US dollars.';
COMMENT ON COLUMN answers.cost_by_conversation_short.requests IS 'Its requests.';
