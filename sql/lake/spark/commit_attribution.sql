-- Made by translate.py from sql/answers/16_commit_attribution.sql, sha256 d105138939bea594c6b4d69f4d3e37d75d969115b8f025b9f50c89ebc21c3c20
-- What Cursor says of how much of each commit it wrote; conversations are those linked to the commit by run --git.
CREATE OR REPLACE TEMPORARY VIEW commit_attribution AS
WITH linked AS (
  SELECT
    _0.machine_id AS machine_id,
    _0.commit_hash AS commit_hash,
    transform(
      array_sort(
        collect_list(
          CASE
            WHEN NOT _0.conversation_id IS NULL
            THEN STRUCT(_0.relevance IS NULL AS n0, -_0.relevance AS k0, _0.conversation_id IS NULL AS n1, _0.conversation_id AS k1, _0.conversation_id AS v)
          END
        )
      ),
      t -> t.v
    ) AS conversations
  FROM (
    SELECT
      conversation_commits.machine_id AS machine_id,
      conversation_commits.commit_hash AS commit_hash,
      conversation_commits.conversation_id AS conversation_id,
      MAX(conversation_commits.relevance) AS relevance
    FROM conversation_commits AS conversation_commits
    GROUP BY
      conversation_commits.machine_id,
      conversation_commits.commit_hash,
      conversation_commits.conversation_id
  ) AS _0
  GROUP BY
    _0.machine_id,
    _0.commit_hash
), known AS (
  SELECT
    commits.machine_id AS machine_id,
    commits.commit_hash AS commit_hash,
    any_value(commits.subject, TRUE) AS subject,
    any_value(commits.authored_at, TRUE) AS authored_at
  FROM commits AS commits
  GROUP BY
    commits.machine_id,
    commits.commit_hash
)
SELECT
  s.machine_id AS machine_id,
  s.commit_hash AS commit_hash,
  s.branch AS branch,
  COALESCE(k.authored_at, s.committed_at, s.scored_at) AS committed_at,
  COALESCE(k.subject, SPLIT_PART(s.message, CHR(  10), 1)) AS subject,
  s.lines_added AS lines_added,
  s.lines_removed AS lines_removed,
  TRY_CAST(CAST(s.composer_lines_added AS DECIMAL(38, 0)) + s.tab_lines_added AS BIGINT) AS ai_lines,
  s.human_lines_added AS human_lines,
  ROUND(
    TRY_CAST(CAST(s.composer_lines_added AS DECIMAL(38, 0)) + s.tab_lines_added AS BIGINT) / NULLIF(CAST(TRY_CAST(CAST(s.composer_lines_added AS DECIMAL(38, 0)) + s.tab_lines_added AS BIGINT) AS DECIMAL(38, 0)) + s.human_lines_added, 0),
    4
  ) AS ai_share,
  s.ai_percent_v2 AS ai_percent_v2,
  COALESCE(l.conversations, ARRAY()) AS conversations
FROM scored_commits AS s
LEFT JOIN linked AS l
  ON l.machine_id = s.machine_id AND l.commit_hash = s.commit_hash
LEFT JOIN known AS k
  ON k.machine_id = s.machine_id AND k.commit_hash = s.commit_hash
WHERE
  s.deleted_at IS NULL;
