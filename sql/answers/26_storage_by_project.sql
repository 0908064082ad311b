-- Which projects take the most space in Cursor's store?
-- One row per project, largest first: the sums of storage_by_conversation (rows whose key names a conversation of the project, as the store has them now).
-- Deleted conversations count in kept_bytes, and with nothing in present_bytes once all their rows are gone. A NULL project: conversations of which no store
-- names one. A conversation that several sources have takes space, and counts, in each. For bytes per session group storage_by_conversation by session_id.
-- Coverage: of the project's conversations, with deleted ones (all_conversations), conversations have rows in the raw layer; the others live in a workspace's
-- store as part of a larger row.
CREATE OR REPLACE VIEW answers.storage_by_project AS
WITH sizes AS (
    SELECT project_uri, project, count(*) AS conversations, count(DISTINCT session_id) AS sessions,
           sum(rows) AS rows, sum(present_bytes) AS present_bytes, sum(kept_bytes) AS kept_bytes,
           max(present_bytes) AS largest_conversation_bytes, arg_max(title, (present_bytes, conversation_id)) AS largest_conversation
    FROM answers.storage_by_conversation
    GROUP BY project_uri, project
), everything AS (
    SELECT project_uri, project, count(*) AS conversations FROM main.all_conversations GROUP BY project_uri, project
)
SELECT s.project_uri, s.project,
       TRY_CAST(s.present_bytes AS BIGINT) AS present_bytes,
       round(s.present_bytes / nullif(sum(s.present_bytes) OVER (), 0), 4) AS share,
       TRY_CAST(s.kept_bytes AS BIGINT) AS kept_bytes,
       TRY_CAST(s.rows AS BIGINT) AS rows, s.sessions, s.largest_conversation, s.largest_conversation_bytes,
       s.conversations, coalesce(e.conversations, s.conversations) AS all_conversations
FROM sizes s
LEFT JOIN everything e ON e.project_uri IS NOT DISTINCT FROM s.project_uri AND e.project IS NOT DISTINCT FROM s.project
ORDER BY s.present_bytes DESC, s.kept_bytes DESC, s.project_uri NULLS LAST;
COMMENT ON VIEW answers.storage_by_project IS 'Bytes of the rows of each project''s conversations; of all_conversations, conversations have rows in the raw layer.';
