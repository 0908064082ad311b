-- Finds the conversations that led to a commit: those of its repository's projects that began at or before its time, and were last active no earlier
-- than the window (30 minutes, _meta.commit_window_ms) before it. Both ends count.
--
-- A commit's time is when the change was made (authored_at): a rebase gives the commit a new time, but the change is older. Commits that no branch leads
-- to any more have no links. Conversations that Cursor has deleted keep theirs; their messages, deleted ones included, say when they were active. Of a
-- conversation that several sources have only the primary has links. The links of changed conversations, and of all conversations of a changed repository, are built again.
-- A load skips it while commits is empty.

CREATE OR REPLACE TEMP TABLE _link_conversations AS
WITH changed_projects AS (
    SELECT DISTINCT r.project_uri
    FROM repositories r
    SEMI JOIN (
        SELECT p.source_id, p.repository_id
        FROM (SELECT DISTINCT source_id, repository_id FROM repositories) p
        JOIN _changed x ON x.source_id = p.source_id AND starts_with(x.conversation_id, '(git/' || p.repository_id || '/')
    ) g ON g.source_id = r.source_id AND g.repository_id = r.repository_id
)
SELECT source_id, conversation_id FROM _changed
UNION
SELECT c.source_id, c.conversation_id
FROM conversations c
JOIN changed_projects p ON p.project_uri = c.project_uri;

DELETE FROM conversation_commits AS l
USING _link_conversations x
WHERE x.source_id = l.source_id AND x.conversation_id = l.conversation_id;

-- When they were active. Conversations without a known start are left out.
CREATE OR REPLACE TEMP TABLE _link_activity AS
WITH members AS (
    SELECT c.source_id, c.conversation_id, c.project_uri, c.created_at, c.updated_at, c.last_activity_at
    FROM conversations c
    SEMI JOIN _link_conversations x ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id
    SEMI JOIN repositories r ON r.project_uri = c.project_uri
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) p ON p.source_id = c.source_id AND p.conversation_id = c.conversation_id
    WHERE (c.message_count > 0 OR c.missing_message_count > 0)
), sent AS (
    SELECT k.source_id, k.conversation_id, min(epoch_ms(m.created_at)) AS first_ms, max(epoch_ms(m.created_at)) AS last_ms
    FROM messages m
    JOIN members k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
    GROUP BY ALL
)
SELECT k.source_id, k.conversation_id, k.project_uri,
       coalesce(epoch_ms(k.created_at), s.first_ms, epoch_ms(k.updated_at)) AS start_ms,
       greatest(epoch_ms(k.last_activity_at), s.last_ms) AS active_ms -- greatest ignores NULLs
FROM members k
LEFT JOIN sent s ON s.source_id = k.source_id AND s.conversation_id = k.conversation_id;

-- The overlap. A folder that the repository has left counts for conversations of the time before: another repository may be there now.
CREATE OR REPLACE TEMP TABLE _links AS
WITH setting AS (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) AS window_ms FROM _meta WHERE key = 'commit_window_ms'
), made AS (
    SELECT source_id, repository_id, commit_hash, coalesce(authored_at, committed_at) AS made_at, epoch_ms(coalesce(authored_at, committed_at)) AS made_ms, files_changed
    FROM commits
    WHERE deleted_at IS NULL AND coalesce(authored_at, committed_at) IS NOT NULL
), placed AS MATERIALIZED ( -- before their commits, as the engine might join each conversation with each commit else
    SELECT a.source_id, a.conversation_id, a.start_ms, a.active_ms, r.source_id AS commit_source_id, r.repository_id,
           replace(r.project_path, '\', '/') AS folder, replace(r.repository_path, '\', '/') AS top, coalesce(r.prefix, '') AS prefix,
           regexp_matches(r.project_path, '^[A-Za-z]:') AS any_case -- Windows
    FROM _link_activity a
    JOIN repositories r ON r.project_uri = a.project_uri AND (r.deleted_at IS NULL OR a.start_ms <= epoch_ms(r.deleted_at))
)
SELECT a.source_id, a.conversation_id, a.repository_id, g.commit_hash, a.commit_source_id, g.made_at, g.made_ms, g.files_changed, a.folder, a.top, a.prefix, a.any_case
FROM placed a
JOIN made g ON g.source_id = a.commit_source_id AND g.repository_id = a.repository_id
WHERE a.start_ms <= g.made_ms AND a.active_ms >= g.made_ms - (SELECT window_ms FROM setting);

-- The files that they touched, by their path from the repository's top, with the first time. NULL: the time is not known, so the file counts from the
-- beginning.
CREATE OR REPLACE TEMP TABLE _link_files AS
WITH places AS (
    SELECT DISTINCT source_id, conversation_id, repository_id, commit_source_id, rtrim(folder, '/') || '/' AS folder, rtrim(top, '/') || '/' AS top, prefix, any_case
    FROM _links
), chats AS (
    SELECT DISTINCT source_id, conversation_id FROM places
), named AS (
    SELECT t.source_id, t.conversation_id, t.message_id, t.file_path AS path, t.started_at AS own_at,
           t.tool_kind = 'edit' AND t.user_decision IS DISTINCT FROM 'rejected' AS edited
    FROM tool_calls t
    JOIN chats k ON k.source_id = t.source_id AND k.conversation_id = t.conversation_id
    WHERE t.file_path IS NOT NULL AND t.is_error IS NOT TRUE
    UNION ALL
    SELECT e.source_id, e.conversation_id, e.message_id, e.path, e.created_at, e.is_accepted IS NOT FALSE
    FROM code_edits e
    JOIN chats k ON k.source_id = e.source_id AND k.conversation_id = e.conversation_id
    WHERE e.path IS NOT NULL
), timed AS (
    SELECT n.source_id, n.conversation_id, n.edited, epoch_ms(coalesce(n.own_at, m.created_at)) AS at_ms,
           -- /c:/x is the path of c:\x in a URI; a URI may end in a query
           regexp_replace(regexp_replace(regexp_replace(replace(n.path, '\', '/'), '\?[^/]*$', ''), '^(\./)+', ''), '^/([A-Za-z]:)', '\1') AS path
    FROM named n
    LEFT JOIN messages m ON m.source_id = n.source_id AND m.conversation_id = n.conversation_id AND m.message_id = n.message_id
), filed AS (
    SELECT p.source_id, p.conversation_id, p.repository_id, p.commit_source_id, p.any_case, t.edited, t.at_ms,
           CASE WHEN starts_with(t.path, p.folder) OR p.any_case AND starts_with(lower(t.path), lower(p.folder)) THEN p.prefix || substr(t.path, length(p.folder) + 1)
                WHEN starts_with(t.path, p.top) OR p.any_case AND starts_with(lower(t.path), lower(p.top)) THEN substr(t.path, length(p.top) + 1)
                WHEN starts_with(t.path, '/') OR regexp_matches(t.path, '^[A-Za-z]:') THEN NULL -- outside the repository
                ELSE p.prefix || t.path END AS file
    FROM timed t
    JOIN places p ON p.source_id = t.source_id AND p.conversation_id = t.conversation_id
)
SELECT source_id, conversation_id, repository_id, commit_source_id, any_case, CASE WHEN any_case THEN lower(file) ELSE file END AS file,
       CASE WHEN count(*) = count(at_ms) THEN min(at_ms) ELSE 0 END AS from_ms,
       CASE WHEN count(*) FILTER (WHERE edited) = count(at_ms) FILTER (WHERE edited) THEN min(at_ms) FILTER (WHERE edited) ELSE 0 END AS edited_ms
FROM filed
WHERE file IS NOT NULL
GROUP BY ALL;

INSERT INTO conversation_commits BY NAME
WITH paths AS (
    SELECT source_id, repository_id, commit_hash, ordinal, unnest(CASE WHEN old_path IS NULL THEN [path] ELSE [path, old_path] END) AS path
    FROM commit_files
    WHERE deleted_at IS NULL
), shared AS (
    SELECT l.source_id, l.conversation_id, l.repository_id, l.commit_hash, l.commit_source_id,
           count(DISTINCT p.ordinal) AS shared_files,
           count(DISTINCT p.ordinal) FILTER (WHERE f.edited_ms <= l.made_ms) AS edited_files
    FROM _links l
    JOIN paths p ON p.source_id = l.commit_source_id AND p.repository_id = l.repository_id AND p.commit_hash = l.commit_hash
    JOIN _link_files f ON f.source_id = l.source_id AND f.conversation_id = l.conversation_id AND f.repository_id = l.repository_id
        AND f.commit_source_id = l.commit_source_id AND f.file = CASE WHEN l.any_case THEN lower(p.path) ELSE p.path END AND f.from_ms <= l.made_ms
    GROUP BY ALL
), touched AS (
    SELECT l.source_id, l.conversation_id, l.repository_id, l.commit_hash, l.commit_source_id, count(DISTINCT f.file) AS files_touched
    FROM _links l
    JOIN _link_files f ON f.source_id = l.source_id AND f.conversation_id = l.conversation_id AND f.repository_id = l.repository_id
        AND f.commit_source_id = l.commit_source_id AND f.from_ms <= l.made_ms
    GROUP BY ALL
), sent AS (
    SELECT m.source_id, m.conversation_id, epoch_ms(m.created_at) AS sent_ms
    FROM messages m
    JOIN (SELECT DISTINCT source_id, conversation_id FROM _links) l ON l.source_id = m.source_id AND l.conversation_id = m.conversation_id
    WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
), links AS (
    SELECT DISTINCT source_id, conversation_id, repository_id, commit_hash, commit_source_id, made_at, made_ms, files_changed FROM _links
)
SELECT l.source_id, l.conversation_id, l.repository_id, l.commit_hash, l.commit_source_id, l.made_at AS committed_at,
       l.made_ms - s.sent_ms AS gap_ms,
       coalesce(t.files_touched, 0) AS files_touched,
       coalesce(h.shared_files, 0) AS shared_files,
       coalesce(h.edited_files, 0) AS edited_files,
       CASE WHEN l.files_changed = 0 THEN 0 ELSE round(coalesce(h.shared_files, 0) / l.files_changed, 4) END AS relevance
FROM links l
ASOF LEFT JOIN sent s ON s.source_id = l.source_id AND s.conversation_id = l.conversation_id AND l.made_ms >= s.sent_ms
LEFT JOIN touched t ON t.source_id = l.source_id AND t.conversation_id = l.conversation_id AND t.repository_id = l.repository_id
    AND t.commit_hash = l.commit_hash AND t.commit_source_id = l.commit_source_id
LEFT JOIN shared h ON h.source_id = l.source_id AND h.conversation_id = l.conversation_id AND h.repository_id = l.repository_id
    AND h.commit_hash = l.commit_hash AND h.commit_source_id = l.commit_source_id
ORDER BY l.made_at, l.repository_id, l.commit_hash, l.source_id, l.conversation_id;

DROP TABLE _link_files;
DROP TABLE _links;
DROP TABLE _link_activity;
DROP TABLE _link_conversations;
