-- Which model gave which share of the answers, week by week, and how did that change?
-- One row per week (its Monday, in the reader's TimeZone) and model, latest week first, then the largest share. answers are the assistant
-- messages (tool calls and thoughts are messages too, so long turns weigh more) that name the model; the row with model NULL has those that
-- name none. share is of those that name one (known); share_before is the model's share in the calendar week before, NULL where no answer of
-- that week names a model, and drift is the difference. A model that was there the week before and is gone has a row with share 0.
-- The model of an answer is the one that answered; what the user had chosen is another thing: chosen counts the conversations (without subagents and empty ones)
-- that started in the week with this model chosen, as they are set now: 'auto' where Cursor was to choose.
-- Coverage: of all answers of the week (total), known name a model; of the conversations, chosen_known name a chosen one.
CREATE OR REPLACE VIEW answers.model_mix_per_week AS
WITH answered AS (
    SELECT CAST(date_trunc('week', CAST(created_at AS DATE)) AS DATE) AS week, model, count(*) AS answers
    FROM main.live_messages
    WHERE role = 'assistant'
    GROUP BY ALL
), begun AS (
    SELECT CAST(date_trunc('week', CAST(coalesce(created_at, first_message_at, updated_at) AS DATE)) AS DATE) AS week, model, count(*) AS chosen
    FROM main.live_conversations
    WHERE NOT is_subagent AND (message_count > 0 OR missing_message_count > 0)
    GROUP BY ALL
), weeks AS (
    SELECT week, coalesce(sum(answers), 0) AS total, coalesce(sum(answers) FILTER (WHERE model IS NOT NULL), 0) AS known,
           coalesce(sum(chosen), 0) AS conversations, coalesce(sum(chosen) FILTER (WHERE model IS NOT NULL), 0) AS chosen_known
    FROM (FROM answered UNION ALL BY NAME FROM begun)
    GROUP BY week
), mixed AS (
    SELECT week, model, sum(answers) AS answers, sum(chosen) AS chosen
    FROM (
        FROM answered
        UNION ALL BY NAME
        FROM begun
        UNION ALL BY NAME
        SELECT a.week + 7 AS week, a.model
        FROM answered a
        SEMI JOIN (FROM weeks WHERE known > 0) w ON w.week = a.week + 7
        WHERE a.model IS NOT NULL
    )
    GROUP BY week, model
), shares AS (
    SELECT r.week, r.model, r.answers, r.chosen, w.known, w.total, w.chosen_known, w.conversations,
           CASE WHEN r.model IS NOT NULL AND w.known > 0 THEN round(coalesce(r.answers, 0) / w.known, 4) END AS share,
           CASE WHEN r.model IS NOT NULL AND b.known > 0 THEN round(coalesce(p.answers, 0) / b.known, 4) END AS share_before
    FROM mixed r
    JOIN weeks w ON w.week IS NOT DISTINCT FROM r.week
    LEFT JOIN weeks b ON b.week = r.week - 7
    LEFT JOIN answered p ON p.week = r.week - 7 AND p.model = r.model
)
SELECT week, model,
       TRY_CAST(coalesce(answers, 0) AS BIGINT) AS answers,
       share, share_before, round(share - share_before, 4) AS drift,
       TRY_CAST(coalesce(chosen, 0) AS BIGINT) AS chosen,
       TRY_CAST(known AS BIGINT) AS known, TRY_CAST(total AS BIGINT) AS total,
       TRY_CAST(chosen_known AS BIGINT) AS chosen_known, TRY_CAST(conversations AS BIGINT) AS conversations
FROM shares
ORDER BY week DESC NULLS LAST, model IS NULL, share DESC NULLS LAST, chosen DESC, model;
COMMENT ON VIEW answers.model_mix_per_week IS 'Share of answers per week and model, and its drift; of all answers (total), known name their model, of the conversations, chosen_known the chosen one.';
