-- How much of each commit did Cursor write, by its own account?
-- One row per commit and branch that Cursor scored, the latest first, as it scored them: ai_lines are the added lines that conversations (composer)
-- and Tab wrote, ai_share is their share of these and a person's; blank lines count for nobody. ai_percent_v2 is Cursor's own figure. Cursor
-- matches lines by their hashes: a line that a person typed and an assistant had written before counts as the assistant's. conversations are those
-- that commits of the same hash are linked to (run --git), the most relevant first.
-- Coverage: NULL where Cursor's account has no figure; it keeps one only of repositories that were open in it, and only on the machine of the commit.
CREATE OR REPLACE VIEW answers.commit_attribution AS
WITH linked AS (
    SELECT commit_hash, list(conversation_id ORDER BY relevance DESC NULLS LAST, conversation_id) AS conversations
    FROM (SELECT commit_hash, conversation_id, max(relevance) AS relevance FROM main.conversation_commits GROUP BY ALL)
    GROUP BY commit_hash
), known AS (
    SELECT commit_hash, any_value(subject) AS subject, any_value(authored_at) AS authored_at
    FROM main.commits
    GROUP BY commit_hash
)
SELECT s.commit_hash, s.branch,
       coalesce(k.authored_at, s.committed_at, s.scored_at) AS committed_at,
       coalesce(k.subject, split_part(s.message, chr(10), 1)) AS subject,
       s.lines_added, s.lines_removed,
       TRY_CAST(CAST(s.composer_lines_added AS HUGEINT) + s.tab_lines_added AS BIGINT) AS ai_lines,
       s.human_lines_added AS human_lines,
       round(ai_lines / nullif(CAST(ai_lines AS HUGEINT) + s.human_lines_added, 0), 4) AS ai_share,
       s.ai_percent_v2,
       coalesce(l.conversations, []) AS conversations
FROM main.scored_commits s
LEFT JOIN linked l ON l.commit_hash = s.commit_hash
LEFT JOIN known k ON k.commit_hash = s.commit_hash
WHERE s.deleted_at IS NULL
ORDER BY committed_at DESC NULLS LAST, s.commit_hash, s.branch;
COMMENT ON VIEW answers.commit_attribution IS 'What Cursor says of how much of each commit it wrote; conversations are those linked to the commit by run --git.';
