-- Which conversations led to each commit?
-- One row per commit and conversation that was active before it, the latest commit first, then the most related conversation. The prompts themselves are in commit_prompts.
-- Coverage: related_percent, the part of the commit's files that the conversation had touched, is NULL where the files are not known.
CREATE OR REPLACE VIEW answers.commit_prompts_short AS
SELECT CAST(any_value(made_at) AS DATE) AS day, any_value(subject) AS subject, any_value(title) AS title, count(DISTINCT message_id) AS prompts, TRY_CAST(max(relevance) * 100 AS DECIMAL(18, 1)) AS related_percent
FROM answers.commit_prompts
GROUP BY repository_id, commit_hash, source_id, conversation_id
ORDER BY any_value(made_at) DESC, commit_hash, related_percent DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.commit_prompts_short IS 'Commits with the conversations that were active before them.';
COMMENT ON COLUMN answers.commit_prompts_short.day IS 'Day of the commit.';
COMMENT ON COLUMN answers.commit_prompts_short.subject IS 'First line of its message.';
COMMENT ON COLUMN answers.commit_prompts_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.commit_prompts_short.prompts IS 'Prompts of the conversation that led to the commit.';
COMMENT ON COLUMN answers.commit_prompts_short.related_percent IS 'Part of the commit''s files that the conversation had touched, in percent.';
