-- Which conversations take the most space in Cursor's store?
-- One row per conversation that the raw layer has rows of, largest first: the rows as the store has them now whose key names the conversation, by the size
-- of their values (keys, indexes and free pages apart). File bodies (composer.content, ofsContent) and the agent's blobs have keys of their own: see
-- storage_by_family. kept_bytes are all versions that the raw layer keeps, as Cursor stored them; its own files are compressed.
-- The present version of a row is the last that was kept; a mark without a hash says that the row is gone, one with a hash that the earlier version
-- with that hash is there again. A key that the first file has, and none after it, has one version: most are, and they need no grouping.
-- A conversation that several sources have takes space in each: it has a row for each.
-- Coverage: of the live messages (message_count), message_rows have a row of their own (in old formats they are part of the conversation's row, or of a workspace's).
CREATE OR REPLACE VIEW answers.storage_by_conversation AS
WITH kept AS (
    SELECT source_id, store, conversation_id, key_type, key, coalesce(key_bytes, ''::BLOB) AS key_bytes, coalesce(hash, '') AS hash, is_mark, seq, value_bytes
    FROM internal._known_rows
    WHERE conversation_id <> '' AND NOT starts_with(conversation_id, '(')
), later AS (
    SELECT DISTINCT k.source_id, k.key
    FROM kept k
    JOIN (SELECT source_id, min(seq) AS seq FROM kept GROUP BY source_id) f ON f.source_id = k.source_id AND k.seq > f.seq
), latest AS (
    SELECT k.source_id, k.store, k.conversation_id, k.key_type, k.key, k.key_bytes,
           arg_max(k.value_bytes, k.seq) AS bytes, arg_max(k.is_mark, k.seq) AS is_mark, arg_max(k.hash, k.seq) AS hash,
           count(*) FILTER (WHERE NOT k.is_mark) AS versions, sum(k.value_bytes) FILTER (WHERE NOT k.is_mark) AS kept_bytes
    FROM kept k
    SEMI JOIN later l ON l.source_id = k.source_id AND l.key = k.key
    GROUP BY ALL
), present AS (
    SELECT k.source_id, k.conversation_id, k.key, CASE WHEN NOT k.is_mark THEN k.value_bytes END AS present_bytes, 1 AS versions, k.value_bytes AS kept_bytes
    FROM kept k
    ANTI JOIN later l ON l.source_id = k.source_id AND l.key = k.key
    UNION ALL
    SELECT source_id, conversation_id, key, CASE WHEN NOT is_mark THEN bytes END, versions, kept_bytes
    FROM latest
    WHERE NOT is_mark OR hash = ''
    UNION ALL
    SELECT l.source_id, l.conversation_id, l.key, e.value_bytes, l.versions, l.kept_bytes
    FROM (FROM latest WHERE is_mark AND hash <> '') l
    LEFT JOIN (FROM kept WHERE NOT is_mark) e ON e.source_id = l.source_id AND e.store = l.store AND e.conversation_id = l.conversation_id
        AND e.key_type = l.key_type AND e.key = l.key AND e.key_bytes = l.key_bytes AND e.hash = l.hash
), sizes AS (
    SELECT source_id, conversation_id,
           count(present_bytes) AS rows, TRY_CAST(coalesce(sum(present_bytes), 0) AS BIGINT) AS present_bytes, max(present_bytes) AS largest_row_bytes,
           count(present_bytes) FILTER (WHERE starts_with(key, 'bubbleId:')) AS message_rows,
           TRY_CAST(sum(versions) AS BIGINT) AS versions, TRY_CAST(coalesce(sum(kept_bytes), 0) AS BIGINT) AS kept_bytes
    FROM present
    GROUP BY source_id, conversation_id
)
SELECT s.source_id, s.conversation_id, c.display_title AS title, c.project_uri, c.project, c.session_id,
       s.rows, s.present_bytes, s.largest_row_bytes, s.versions, s.kept_bytes,
       s.message_rows, coalesce(c.message_count, 0) AS message_count, c.deleted_at
FROM sizes s
LEFT JOIN main.all_conversations c ON c.source_id = s.source_id AND c.conversation_id = s.conversation_id
ORDER BY s.present_bytes DESC, s.kept_bytes DESC, s.source_id, s.conversation_id;
COMMENT ON VIEW answers.storage_by_conversation IS 'Bytes of the rows of each conversation as the store has them now, and of all versions kept; of the live messages (message_count), message_rows have a row.';
