-- How many tokens went into each model and came out of it, per project and day?
-- One row per day (in the reader's TimeZone), project and model that answered: rows with tokens first, of these the latest day, then most tokens.
-- Tokens are summed where a message records them; Cursor stopped recording them in February 2026, and nothing is estimated for the rest:
-- input_tokens and output_tokens are NULL where no message of the row has any, and are not to be scaled up from those that do (see
-- context_size for what newer stores have instead). messages are the answers, and any other message that records tokens,
-- without repeats of them: a fork has those, tokens and all, from the conversation that it came from. Best-of-N copies used tokens of their own, and count.
-- Coverage: of the messages, with_tokens record tokens; model NULL: the message does not name its model.
CREATE OR REPLACE VIEW answers.tokens_by_model AS
SELECT CAST(m.created_at AS DATE) AS day, c.project, c.project_uri, m.model,
       TRY_CAST(sum(m.input_tokens) FILTER (WHERE NOT m.is_repeat) AS BIGINT) AS input_tokens,
       TRY_CAST(sum(m.output_tokens) FILTER (WHERE NOT m.is_repeat) AS BIGINT) AS output_tokens,
       count(coalesce(m.input_tokens, m.output_tokens)) FILTER (WHERE NOT m.is_repeat) AS with_tokens,
       count(*) FILTER (WHERE NOT m.is_repeat) AS messages,
       count(*) FILTER (WHERE m.is_repeat) AS repeats
FROM main.messages m
JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
WHERE m.deleted_at IS NULL AND (m.role = 'assistant' OR m.input_tokens IS NOT NULL OR m.output_tokens IS NOT NULL)
GROUP BY ALL
ORDER BY with_tokens = 0, day DESC NULLS LAST, coalesce(sum(m.input_tokens) FILTER (WHERE NOT m.is_repeat), 0) + coalesce(sum(m.output_tokens) FILTER (WHERE NOT m.is_repeat), 0) DESC, messages DESC,
    c.project_uri NULLS LAST, m.model NULLS LAST;
COMMENT ON VIEW answers.tokens_by_model IS 'Tokens per day, project and model where recorded, never estimated; of the messages, with_tokens record them.';
