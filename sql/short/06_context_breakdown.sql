-- What takes the room in the context window?
-- One row per part of the prompt, the largest first. tokens is the median of Cursor's own estimate at the last turn; percent is the part's share of all parts.
-- Coverage: of the conversations that have the part, known counts those that record its tokens.
CREATE OR REPLACE VIEW answers.context_breakdown_short AS
SELECT coalesce(min(p.label), p.part) AS part, count(*) AS conversations, count(p.tokens) AS known, quantile_disc(p.tokens, 0.5) AS tokens,
       TRY_CAST(sum(p.tokens) / nullif(sum(sum(p.tokens)) OVER (), 0) * 100 AS DECIMAL(18, 1)) AS percent,
       TRY_CAST(sum(p.tokens) FILTER (WHERE c.context_token_limit > 0)
           / nullif(sum(c.context_token_limit) FILTER (WHERE p.tokens IS NOT NULL AND c.context_token_limit > 0), 0) * 100 AS DECIMAL(18, 1)) AS full_percent
FROM main.context_parts p
JOIN main.live_conversations c ON c.source_id = p.source_id AND c.conversation_id = p.conversation_id
WHERE p.deleted_at IS NULL
GROUP BY p.part
ORDER BY sum(p.tokens) DESC NULLS LAST, conversations DESC, p.part;
COMMENT ON VIEW answers.context_breakdown_short IS 'Tokens of each part of the prompt.';
COMMENT ON COLUMN answers.context_breakdown_short.part IS 'The part of the prompt, as Cursor calls it.';
COMMENT ON COLUMN answers.context_breakdown_short.conversations IS 'Conversations that have the part.';
COMMENT ON COLUMN answers.context_breakdown_short.known IS 'Conversations that record its tokens.';
COMMENT ON COLUMN answers.context_breakdown_short.tokens IS 'Median of its tokens.';
COMMENT ON COLUMN answers.context_breakdown_short.percent IS 'Its part of the tokens of all parts, in percent.';
COMMENT ON COLUMN answers.context_breakdown_short.full_percent IS 'Its part of the window, in percent.';
