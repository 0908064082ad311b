-- How large did the context of conversations get, per project and model?
-- One row per project and chosen model, largest p95 first. Newer stores record no tokens per answer: the tokens in the context window at a
-- conversation's last turn are all that they keep. That is a size, not a use: every turn sends its context anew, so it is never to be added to
-- the tokens of tokens_by_model. model is the one chosen for the conversation. Percentiles are recorded values (no interpolation).
-- Empty conversations (no message, and none missing) are left out.
-- Coverage: of the conversations, with_context record their context; of these, with_limit record the window's size, too, and share_of_limit is over them.
CREATE OR REPLACE VIEW answers.context_size AS
SELECT project, project_uri, model,
       count(*) AS conversations,
       count(context_tokens_used) AS with_context,
       TRY_CAST(round(avg(context_tokens_used)) AS BIGINT) AS tokens_avg,
       quantile_disc(context_tokens_used, 0.5) AS tokens_p50,
       quantile_disc(context_tokens_used, 0.95) AS tokens_p95,
       max(context_tokens_used) AS tokens_max,
       count(*) FILTER (WHERE context_tokens_used IS NOT NULL AND context_token_limit > 0) AS with_limit,
       round(sum(context_tokens_used) FILTER (WHERE context_token_limit > 0)
             / sum(context_token_limit) FILTER (WHERE context_tokens_used IS NOT NULL AND context_token_limit > 0), 4) AS share_of_limit
FROM main.live_conversations
WHERE message_count > 0 OR missing_message_count > 0
GROUP BY project, project_uri, model
ORDER BY tokens_p95 DESC NULLS LAST, conversations DESC, project_uri NULLS LAST, model NULLS LAST;
COMMENT ON VIEW answers.context_size IS 'Size of the context at the last turn, per project and chosen model; of the conversations, with_context record it.';
