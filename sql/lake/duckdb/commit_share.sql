-- Made by translate.py from sql/answers/16_commit_share.sql, sha256 73e1184f3d330122379d6e7ea9d6c1d9fa7dceb4340946129a1d527e88ede29a
-- Share of commits with a conversation before them, per repository and week; files_known of commits have their files.
CREATE OR REPLACE TEMP VIEW commit_share AS
WITH names AS (
  SELECT
    repositories.machine_id AS machine_id,
    repositories.source_id AS source_id,
    repositories.repository_id AS repository_id,
    ARG_MIN(
      COALESCE(repositories.repository_path, repositories.project_path),
      (NOT repositories.deleted_at IS NULL, LENGTH(COALESCE(repositories.repository_path, repositories.project_path)), repositories.project_uri)
    ) AS path
  FROM repositories AS repositories
  GROUP BY
    repositories.machine_id,
    repositories.source_id,
    repositories.repository_id
), linked AS (
  SELECT
    conversation_commits.machine_id AS machine_id,
    conversation_commits.commit_source_id AS commit_source_id,
    conversation_commits.repository_id AS repository_id,
    conversation_commits.commit_hash AS commit_hash,
    MAX(conversation_commits.shared_files) AS shared_files
  FROM conversation_commits AS conversation_commits
  GROUP BY
    conversation_commits.machine_id,
    conversation_commits.commit_source_id,
    conversation_commits.repository_id,
    conversation_commits.commit_hash
), made AS (
  SELECT
    c.machine_id AS machine_id,
    c.source_id AS source_id,
    c.repository_id AS repository_id,
    c.commit_hash AS commit_hash,
    c.read_as AS read_as,
    c.author_name AS author_name,
    c.author_email AS author_email,
    c.authored_at AS authored_at,
    c.author_utc_offset AS author_utc_offset,
    c.committer_name AS committer_name,
    c.committer_email AS committer_email,
    c.committed_at AS committed_at,
    c.subject AS subject,
    c.body AS body,
    c.parents AS parents,
    c.parent_count AS parent_count,
    c.is_merge AS is_merge,
    c.files_changed AS files_changed,
    c.lines_added AS lines_added,
    c.lines_removed AS lines_removed,
    c.deleted_at AS deleted_at,
    CAST(DATE_TRUNC('WEEK', COALESCE(c.authored_at, c.committed_at)) AS DATE) AS week,
    NOT l.commit_hash IS NULL AS is_linked,
    l.shared_files AS shared_files
  FROM commits AS c
  LEFT JOIN linked AS l
    ON l.machine_id = c.machine_id
    AND (
      l.commit_source_id = c.source_id AND l.repository_id = c.repository_id AND l.commit_hash = c.commit_hash
    )
  WHERE
    c.deleted_at IS NULL
)
SELECT
  m.machine_id AS machine_id,
  m.repository_id AS repository_id,
  n.path AS repository,
  m.week AS week,
  COUNT(*) FILTER(WHERE
    NOT m.is_merge) AS commits,
  COUNT(*) FILTER(WHERE
    NOT m.is_merge AND m.is_linked) AS with_conversation,
  COUNT(*) FILTER(WHERE
    NOT m.is_merge AND m.shared_files > 0) AS related,
  ROUND(COUNT(*) FILTER(WHERE
    NOT m.is_merge AND m.is_linked) / NULLIF(COUNT(*) FILTER(WHERE
    NOT m.is_merge), 0), 4) AS conversation_share,
  ROUND(COUNT(*) FILTER(WHERE
    NOT m.is_merge AND m.shared_files > 0) / NULLIF(COUNT(*) FILTER(WHERE
    NOT m.is_merge), 0), 4) AS related_share,
  COUNT(m.files_changed) FILTER(WHERE
    NOT m.is_merge) AS files_known,
  COUNT(*) FILTER(WHERE
    m.is_merge) AS merges,
  COUNT(DISTINCT LOWER(m.author_email)) AS authors
FROM made AS m
JOIN names AS n
  ON n.machine_id = m.machine_id AND (
    n.source_id = m.source_id AND n.repository_id = m.repository_id
  )
GROUP BY
  m.machine_id,
  m.source_id,
  m.repository_id,
  n.path,
  m.week;
