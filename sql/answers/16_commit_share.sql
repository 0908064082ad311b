-- What share of the commits came out of a conversation?
-- One row per repository and week, the latest first; weeks begin on Monday, cut in the reader's TimeZone by when the change was made. with_conversation
-- commits had a conversation of the repository's projects active in the window before them; related are those of which such a conversation had touched
-- a file: the first shows that somebody worked in Cursor at the time, the second that the work concerned the commit. Merges are counted in merges alone, commits
-- that were rebased away nowhere. Commits of other people that you have fetched count as well; authors says how many people there are.
-- Coverage: of the commits, files_known have their files; conversations that Cursor deleted before a run saw them led to nothing here.
CREATE OR REPLACE VIEW answers.commit_share AS
WITH names AS (
    SELECT source_id, repository_id,
           arg_min(coalesce(repository_path, project_path), (deleted_at IS NOT NULL, length(coalesce(repository_path, project_path)), project_uri)) AS path
    FROM main.repositories
    GROUP BY ALL
), linked AS (
    SELECT commit_source_id, repository_id, commit_hash, max(shared_files) AS shared_files
    FROM main.conversation_commits
    GROUP BY ALL
), made AS (
    SELECT c.*, CAST(date_trunc('week', coalesce(c.authored_at, c.committed_at)) AS DATE) AS week, l.commit_hash IS NOT NULL AS is_linked, l.shared_files
    FROM main.commits c
    LEFT JOIN linked l ON l.commit_source_id = c.source_id AND l.repository_id = c.repository_id AND l.commit_hash = c.commit_hash
    WHERE c.deleted_at IS NULL
)
SELECT m.repository_id, n.path AS repository, m.week,
       count(*) FILTER (WHERE NOT m.is_merge) AS commits,
       count(*) FILTER (WHERE NOT m.is_merge AND m.is_linked) AS with_conversation,
       count(*) FILTER (WHERE NOT m.is_merge AND m.shared_files > 0) AS related,
       round(with_conversation / nullif(commits, 0), 4) AS conversation_share,
       round(related / nullif(commits, 0), 4) AS related_share,
       count(m.files_changed) FILTER (WHERE NOT m.is_merge) AS files_known,
       count(*) FILTER (WHERE m.is_merge) AS merges,
       count(DISTINCT lower(m.author_email)) AS authors
FROM made m
JOIN names n ON n.source_id = m.source_id AND n.repository_id = m.repository_id
GROUP BY m.source_id, m.repository_id, n.path, m.week
ORDER BY m.week DESC NULLS LAST, commits DESC, n.path, m.repository_id;
COMMENT ON VIEW answers.commit_share IS 'Share of commits with a conversation before them, per repository and week; of the commits, files_known have their files.';
