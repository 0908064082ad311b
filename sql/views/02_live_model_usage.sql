-- What did each live conversation cost, as far as it is recorded? The rows of model_usage of live conversations. is_repeat: a fork records for this model exactly what
-- the conversation that it was forked from records, so the row is a copy, and nothing was spent for it.
CREATE OR REPLACE VIEW live_model_usage AS
SELECT u.*, o.conversation_id IS NOT NULL AS is_repeat
FROM model_usage u
JOIN live_conversations c ON c.source_id = u.source_id AND c.conversation_id = u.conversation_id
LEFT JOIN (
    SELECT DISTINCT conversation_id, model, cost_cents, requests
    FROM model_usage
    WHERE deleted_at IS NULL
) o ON o.conversation_id = c.forked_from AND o.model = u.model
    AND o.cost_cents IS NOT DISTINCT FROM u.cost_cents AND o.requests IS NOT DISTINCT FROM u.requests
WHERE u.deleted_at IS NULL;
COMMENT ON VIEW live_model_usage IS 'Cost per live conversation and model where an old store recorded it; is_repeat: a fork has it from the conversation that it came from.';
