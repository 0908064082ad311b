-- How much of each commit did Cursor write, by its own account?
-- One row per commit that Cursor scored, the latest first. Of a commit that it scored on several branches, the row has the branch that comes first by name.
-- Coverage: NULL where Cursor's account has no figure.
CREATE OR REPLACE VIEW answers.commit_attribution_short AS
SELECT CAST(committed_at AS DATE) AS day, subject, ai_lines, human_lines, TRY_CAST(ai_lines / nullif(CAST(ai_lines AS HUGEINT) + human_lines, 0) * 100 AS DECIMAL(18, 1)) AS ai_percent
FROM answers.commit_attribution
QUALIFY row_number() OVER (PARTITION BY commit_hash ORDER BY branch) = 1
ORDER BY committed_at DESC NULLS LAST, commit_hash;
COMMENT ON VIEW answers.commit_attribution_short IS 'What Cursor says of how much of each commit it wrote.';
COMMENT ON COLUMN answers.commit_attribution_short.day IS 'Day of the commit.';
COMMENT ON COLUMN answers.commit_attribution_short.subject IS 'First line of its message.';
COMMENT ON COLUMN answers.commit_attribution_short.ai_lines IS 'Added lines that conversations and Tab wrote.';
COMMENT ON COLUMN answers.commit_attribution_short.human_lines IS 'Added lines that a person wrote.';
COMMENT ON COLUMN answers.commit_attribution_short.ai_percent IS 'Cursor''s part of these lines, in percent.';
