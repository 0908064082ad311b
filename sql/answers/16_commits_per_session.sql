-- How many commits came out of each session?
-- One row per session of a project whose repository is known, the most commits first: those with 0 had none. commits are the commits, each once,
-- that conversations of the session, its subagents' among them, were active before (conversation_commits); one that several sessions were active before
-- counts in each. related_commits have a file that a conversation of the session had touched. Lines are those of the related commits.
-- prompts and repeats are those of session_lengths.
-- Coverage: sessions of projects without a known repository are not among them; of the related_commits, lines_known have their lines.
CREATE OR REPLACE VIEW answers.commits_per_session AS
WITH linked AS (
    SELECT k.session_id, l.commit_source_id, l.repository_id, l.commit_hash, max(l.shared_files) AS shared_files
    FROM main.conversation_commits l
    JOIN main.conversations k ON k.source_id = l.source_id AND k.conversation_id = l.conversation_id
    WHERE k.session_id IS NOT NULL
    GROUP BY ALL
), figures AS (
    SELECT l.session_id, count(*) AS commits,
           count(*) FILTER (WHERE l.shared_files > 0) AS related_commits,
           count(c.lines_added) FILTER (WHERE l.shared_files > 0) AS lines_known,
           TRY_CAST(sum(c.lines_added) FILTER (WHERE l.shared_files > 0) AS BIGINT) AS lines_added,
           TRY_CAST(sum(c.lines_removed) FILTER (WHERE l.shared_files > 0) AS BIGINT) AS lines_removed
    FROM linked l
    JOIN main.commits c ON c.source_id = l.commit_source_id AND c.repository_id = l.repository_id AND c.commit_hash = l.commit_hash
    GROUP BY l.session_id
), read_projects AS (
    SELECT DISTINCT coalesce(a.new_project_uri, r.project_uri) AS project_uri
    FROM main.repositories r
    LEFT JOIN main.project_aliases a ON a.project_uri = r.project_uri
)
SELECT s.session_id, s.source_id, s.project_uri, s.project, s.started_at, s.ended_at, s.conversation_count AS conversations, p.prompts,
       coalesce(f.commits, 0) AS commits, coalesce(f.related_commits, 0) AS related_commits, coalesce(f.lines_known, 0) AS lines_known,
       f.lines_added, f.lines_removed, p.repeats
FROM main.live_sessions s
JOIN answers.session_lengths p ON p.session_id = s.session_id
SEMI JOIN read_projects r ON r.project_uri = s.project_uri
LEFT JOIN figures f ON f.session_id = s.session_id
ORDER BY commits DESC, related_commits DESC, s.started_at DESC, s.session_id;
COMMENT ON VIEW answers.commits_per_session IS 'Commits per session of projects with a known repository; of the related_commits, lines_known have their lines.';
