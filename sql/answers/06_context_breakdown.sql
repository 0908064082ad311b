-- Where does the context window go: system prompt, tools, rules, skills, MCP servers, or the conversation itself?
-- One row per part of the prompt, the one with most tokens over all conversations first. tokens are Cursor's own estimate at the last turn of
-- each live conversation that has the part; a conversation without the part counts as one without a row, not as 0. share is the part's tokens
-- of all parts' tokens in conversations with a breakdown; share_of_limit is of the window, over the part's conversations whose window's size
-- is recorded. Percentiles are recorded values (no interpolation).
-- Coverage: of the part's conversations, tokens_known record its tokens; of all live conversations (live_total), with_breakdown have a breakdown.
CREATE OR REPLACE VIEW answers.context_breakdown AS
WITH parts AS (
    SELECT p.source_id, p.conversation_id, p.part, p.label, p.tokens, c.context_token_limit
    FROM main.context_parts p
    JOIN main.live_conversations c ON c.source_id = p.source_id AND c.conversation_id = p.conversation_id
    WHERE p.deleted_at IS NULL
), known AS (
    SELECT (SELECT count(DISTINCT (source_id, conversation_id)) FROM parts) AS with_breakdown,
           (SELECT count(*) FROM main.live_conversations WHERE message_count > 0 OR missing_message_count > 0) AS live_total
), grouped AS (
    SELECT part,
           min(label) AS label,
           count(*) AS conversations,
           count(tokens) AS tokens_known,
           avg(tokens) AS average,
           quantile_disc(tokens, 0.5) AS tokens_p50,
           quantile_disc(tokens, 0.95) AS tokens_p95,
           max(tokens) AS tokens_max,
           sum(tokens) AS tokens,
           sum(tokens) FILTER (WHERE context_token_limit > 0) AS tokens_of_windows,
           sum(context_token_limit) FILTER (WHERE tokens IS NOT NULL AND context_token_limit > 0) AS windows
    FROM parts
    GROUP BY part
)
SELECT g.part, g.label, g.conversations, g.tokens_known,
       TRY_CAST(round(g.average) AS BIGINT) AS tokens_avg,
       g.tokens_p50, g.tokens_p95, g.tokens_max,
       round(g.tokens / nullif(sum(g.tokens) OVER (), 0), 4) AS share,
       round(g.tokens_of_windows / g.windows, 4) AS share_of_limit,
       k.with_breakdown, k.live_total
FROM grouped g, known k
ORDER BY g.tokens DESC NULLS LAST, g.conversations DESC, g.part;
COMMENT ON VIEW answers.context_breakdown IS 'Tokens of each part of the prompt; of all live conversations (live_total), with_breakdown record a breakdown.';
