-- What share of the commits came out of a conversation?
-- One row per repository, most commits first, over all weeks. with_conversation commits had a conversation active before them; related are those of which it had touched a file.
-- Coverage: merges count nowhere. A percentage of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.commit_share_short AS
SELECT regexp_extract(repository, '([^/\\]*)[/\\]*$', 1) AS repository, TRY_CAST(sum(commits) AS BIGINT) AS commits, TRY_CAST(sum(with_conversation) AS BIGINT) AS with_conversation, TRY_CAST(sum(related) AS BIGINT) AS related,
       TRY_CAST(sum(related) / nullif(sum(commits), 0) * 100 AS DECIMAL(18, 1)) AS related_percent
FROM answers.commit_share
GROUP BY repository_id, commit_share.repository
ORDER BY sum(commits) DESC, commit_share.repository, repository_id;
COMMENT ON VIEW answers.commit_share_short IS 'Commits with a conversation before them, per repository.';
COMMENT ON COLUMN answers.commit_share_short.repository IS 'Name of the repository''s folder.';
COMMENT ON COLUMN answers.commit_share_short.commits IS 'Commits, without merges.';
COMMENT ON COLUMN answers.commit_share_short.with_conversation IS 'Commits with a conversation active before them.';
COMMENT ON COLUMN answers.commit_share_short.related IS 'Commits of which such a conversation had touched a file.';
COMMENT ON COLUMN answers.commit_share_short.related_percent IS 'Related of all commits, in percent.';
