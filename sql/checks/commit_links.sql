-- Every link leads to a commit and a conversation that exist, the commit is not deleted, and the link has no more shared files than the commit changed.
-- A commit has as many files as it says.
SELECT 'conversation_commits' AS table_name, l.source_id || '/' || l.conversation_id || '/' || l.commit_hash AS row_key,
       CASE WHEN c.commit_hash IS NULL THEN 'no such commit' WHEN k.conversation_id IS NULL THEN 'no such conversation' ELSE 'more files than it can be' END AS problem
FROM conversation_commits l
LEFT JOIN commits c ON c.source_id = l.commit_source_id AND c.repository_id = l.repository_id AND c.commit_hash = l.commit_hash AND c.deleted_at IS NULL
LEFT JOIN conversations k ON k.source_id = l.source_id AND k.conversation_id = l.conversation_id
WHERE c.commit_hash IS NULL OR k.conversation_id IS NULL OR l.shared_files > coalesce(c.files_changed, 0) OR l.edited_files > l.shared_files
   OR l.relevance NOT BETWEEN 0 AND 1
UNION ALL
SELECT 'commits', c.source_id || '/' || c.repository_id || '/' || c.commit_hash, CAST(coalesce(f.files, 0) AS VARCHAR) || ' files, not ' || CAST(c.files_changed AS VARCHAR)
FROM commits c
LEFT JOIN (SELECT source_id, repository_id, commit_hash, count(*) AS files FROM commit_files GROUP BY ALL) f
    ON f.source_id = c.source_id AND f.repository_id = c.repository_id AND f.commit_hash = c.commit_hash
WHERE c.files_changed <> coalesce(f.files, 0);
