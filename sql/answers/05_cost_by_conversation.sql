-- What did each conversation cost, and which model cost it?
-- One row per conversation and model for which a cost or a number of requests is recorded, dearest conversation first, then its dearest model.
-- Only old stores recorded this (usageData); a conversation without a row is one of unknown cost, not of none. Costs are US cents as Cursor
-- counted them, whatever the plan made of them. What deleted conversations had cost is in table model_usage.
-- A fork that records for a model exactly what the conversation that it came from does has that row by copy: repeats such rows are left out (the same in every row).
-- Coverage: of all live conversations (live_total), with_cost record a cost (the same in every row).
-- Total: cost_cents, requests.
CREATE OR REPLACE VIEW answers.cost_by_conversation AS
WITH known AS (
    SELECT count(cost_cents) AS with_cost, count(*) AS live_total FROM main.live_conversations
    WHERE message_count > 0 OR missing_message_count > 0
), usage AS (
    SELECT u.source_id, u.conversation_id, c.display_title AS title, c.project, c.project_uri, c.created_at, u.model,
           round(u.cost_cents, 4) AS cost_cents, u.requests,
           round(sum(u.cost_cents) OVER (PARTITION BY u.source_id, u.conversation_id), 4) AS conversation_cost_cents
    FROM main.live_model_usage u
    JOIN main.live_conversations c ON c.source_id = u.source_id AND c.conversation_id = u.conversation_id
    WHERE NOT u.is_repeat AND (u.cost_cents IS NOT NULL OR u.requests IS NOT NULL)
), copied AS (
    SELECT count(*) AS repeats FROM main.live_model_usage
    WHERE is_repeat AND (cost_cents IS NOT NULL OR requests IS NOT NULL)
)
SELECT usage.*, known.with_cost, known.live_total, copied.repeats
FROM usage, known, copied
ORDER BY conversation_cost_cents DESC NULLS LAST, source_id, conversation_id, cost_cents DESC NULLS LAST, model;
COMMENT ON VIEW answers.cost_by_conversation IS 'Cost and requests per conversation and model where an old store recorded them; of all live conversations (live_total), with_cost do.';
