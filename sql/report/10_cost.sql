-- How many tokens were used, and what did it cost, as far as it is recorded?
-- One row per day (in the reader's TimeZone), project and model. Tokens are summed where messages record them, on the day of the message (by its best known
-- time) under the model that it names; messages are the answers, and any other message that records tokens; repeats, which a fork has by copy, are left out of all of them. Costs stand on the day on which the
-- conversation began (created, else first message, else last update) under the model that they were paid for, in US cents. conversations are the live
-- ones that are not empty and began on the day, each once, under the model chosen for it: tokens_known of them have a message that records tokens, cost_known record what
-- they cost. So every column may be summed over days, projects and models. Nothing is estimated for the rest.
-- Coverage: of the messages, messages_tokens_known record tokens; of the conversations, cost_known record a cost; tokens and cost are NULL where none of the row does.
CREATE OR REPLACE VIEW report.cost AS
WITH begun AS (
    SELECT source_id, conversation_id, CAST(coalesce(created_at, first_message_at, updated_at) AS DATE) AS day, project_uri, project, model,
           input_tokens IS NOT NULL OR output_tokens IS NOT NULL AS has_tokens,
           message_count > 0 OR missing_message_count > 0 AS is_chat
    FROM main.live_conversations
), usage AS (
    SELECT source_id, conversation_id, model, cost_cents
    FROM main.live_model_usage
    WHERE NOT is_repeat AND cost_cents IS NOT NULL
), parts AS (
    SELECT b.day, b.project_uri, b.project, b.model, count(*) FILTER (WHERE b.is_chat) AS conversations, count(*) FILTER (WHERE b.has_tokens) AS tokens_known,
           count(u.conversation_id) FILTER (WHERE b.is_chat) AS cost_known
    FROM begun b
    LEFT JOIN (SELECT DISTINCT source_id, conversation_id FROM usage) u ON u.source_id = b.source_id AND u.conversation_id = b.conversation_id
    GROUP BY ALL
    UNION ALL BY NAME
    SELECT b.day, b.project_uri, b.project, u.model, sum(u.cost_cents) AS cost_cents
    FROM usage u
    JOIN begun b ON b.source_id = u.source_id AND b.conversation_id = u.conversation_id
    GROUP BY ALL
    UNION ALL BY NAME
    SELECT day, project_uri, project, model, input_tokens, output_tokens, messages, with_tokens AS messages_tokens_known, repeats FROM answers.tokens_by_model
)
SELECT day, project_uri, project, model,
       TRY_CAST(coalesce(sum(conversations), 0) AS BIGINT) AS conversations,
       TRY_CAST(coalesce(sum(tokens_known), 0) AS BIGINT) AS tokens_known,
       TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens,
       TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
       TRY_CAST(coalesce(sum(cost_known), 0) AS BIGINT) AS cost_known,
       round(sum(cost_cents), 4) AS cost_cents,
       TRY_CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages,
       TRY_CAST(coalesce(sum(messages_tokens_known), 0) AS BIGINT) AS messages_tokens_known,
       TRY_CAST(coalesce(sum(repeats), 0) AS BIGINT) AS repeats
FROM parts
GROUP BY day, project_uri, project, model;
COMMENT ON VIEW report.cost IS 'Tokens and cost per day, project and model where recorded, never estimated; the columns ..._known say of how many they are.';
