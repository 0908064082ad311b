-- How large did the context of conversations get with each model?
-- One row per model chosen for conversations, the largest context first. tokens is the median of the context at a conversation's last turn: a size, never to be added up.
-- Coverage: known counts the conversations that record their context; full_percent is over those that record the size of the window, too. A percentage of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.context_size_short AS
SELECT model, count(*) AS conversations, count(context_tokens_used) AS known, quantile_disc(context_tokens_used, 0.5) AS tokens,
       TRY_CAST(sum(context_tokens_used) FILTER (WHERE context_token_limit > 0)
             / nullif(sum(context_token_limit) FILTER (WHERE context_tokens_used IS NOT NULL AND context_token_limit > 0), 0) * 100 AS DECIMAL(18, 1)) AS full_percent
FROM main.live_conversations
WHERE message_count > 0 OR missing_message_count > 0
GROUP BY model
ORDER BY tokens DESC NULLS LAST, conversations DESC, model NULLS LAST;
COMMENT ON VIEW answers.context_size_short IS 'Size of the context at the last turn, per model.';
COMMENT ON COLUMN answers.context_size_short.model IS 'The model chosen for the conversations; NULL where none is recorded.';
COMMENT ON COLUMN answers.context_size_short.conversations IS 'Conversations that are not empty.';
COMMENT ON COLUMN answers.context_size_short.known IS 'Conversations that record their context.';
COMMENT ON COLUMN answers.context_size_short.tokens IS 'Median of the tokens in the context at the last turn.';
COMMENT ON COLUMN answers.context_size_short.full_percent IS 'Part of the window that the contexts take, in percent.';
