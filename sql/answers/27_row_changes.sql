-- How many rows of the store were new, rewritten, gone or back, run by run?
-- One row per run, source and kind of key (the key up to its first ':', else the table), the latest run first. It follows each key through the versions that the raw layer
-- keeps: first seen: new; a version after a version: replaced (reverted counts those of them that are a version of before); a mark that the row
-- is gone: gone; a version after that: back. new_bytes are the sizes of the versions written in the run. What was changed twice between two runs counts once.
-- Keys that only the source's first file has are new there: most are, and they need no following.
-- started_at is NULL where loads do not have the run.
-- Coverage: only changes of rows whose family the raw layer keeps are here (storage_by_family says how many); a run that changed nothing has no row here.
-- Of the changes, named belong to a key that names a conversation of the warehouse.
CREATE OR REPLACE VIEW answers.row_changes AS
WITH kept AS (
    SELECT source_id, store, table_name, conversation_id, key_type, key, coalesce(key_bytes, ''::BLOB) AS key_bytes,
           CASE WHEN key_type = 'null' THEN hash ELSE '' END AS unnamed, hash IS NULL OR (is_mark AND key_type = 'null') AS is_gone,
           is_mark, hash, seq, value_bytes
    FROM internal._known_rows
), first AS (
    SELECT source_id, min(seq) AS seq FROM kept GROUP BY source_id
), later AS (
    SELECT DISTINCT k.source_id, k.key
    FROM kept k
    JOIN first f ON f.source_id = k.source_id AND k.seq > f.seq
), followed AS (
    SELECT k.source_id, k.table_name, k.conversation_id, k.key, k.seq, k.is_gone, k.is_mark, k.value_bytes,
           lag(k.is_gone) OVER (PARTITION BY k.source_id, k.store, k.table_name, k.conversation_id, k.key_type, k.key, k.key_bytes, k.unnamed ORDER BY k.seq) AS was_gone,
           row_number() OVER (PARTITION BY k.source_id, k.store, k.table_name, k.conversation_id, k.key_type, k.key, k.key_bytes, k.hash ORDER BY k.seq) > 1 AS was_before
    FROM kept k
    SEMI JOIN later l ON l.source_id = k.source_id AND l.key = k.key
    UNION ALL
    SELECT k.source_id, k.table_name, k.conversation_id, k.key, k.seq, k.is_gone, k.is_mark, k.value_bytes, NULL, false
    FROM kept k
    ANTI JOIN later l ON l.source_id = k.source_id AND l.key = k.key
), counted AS (
    SELECT source_id, seq, conversation_id,
           CASE WHEN table_name = 'cursorDiskKV' AND contains(key, ':') THEN split_part(key, ':', 1) ELSE table_name END AS kind,
           count(*) AS changes,
           count(*) FILTER (WHERE was_gone IS NULL AND NOT is_gone) AS new_rows,
           count(*) FILTER (WHERE NOT was_gone AND NOT is_gone) AS replaced,
           count(*) FILTER (WHERE NOT was_gone AND NOT is_gone AND was_before) AS reverted,
           count(*) FILTER (WHERE is_gone) AS gone,
           count(*) FILTER (WHERE was_gone AND NOT is_gone) AS back,
           sum(value_bytes) FILTER (WHERE NOT is_mark) AS new_bytes
    FROM followed
    GROUP BY ALL
)
SELECT r.load_id, l.started_at, x.source_id, x.kind,
       TRY_CAST(sum(x.new_rows) AS BIGINT) AS new_rows,
       TRY_CAST(sum(x.replaced) AS BIGINT) AS replaced,
       TRY_CAST(sum(x.reverted) AS BIGINT) AS reverted,
       TRY_CAST(sum(x.gone) AS BIGINT) AS gone,
       TRY_CAST(sum(x.back) AS BIGINT) AS back,
       TRY_CAST(coalesce(sum(x.new_bytes), 0) AS BIGINT) AS new_bytes,
       TRY_CAST(sum(x.changes) AS BIGINT) AS changes,
       TRY_CAST(coalesce(sum(x.changes) FILTER (WHERE c.conversation_id IS NOT NULL), 0) AS BIGINT) AS named
FROM counted x
JOIN internal._raw_parts r ON r.seq = x.seq
LEFT JOIN main.loads l ON l.load_id = r.load_id
LEFT JOIN main.conversations c ON c.source_id = x.source_id AND c.conversation_id = x.conversation_id
GROUP BY ALL
ORDER BY r.load_id DESC, changes DESC, x.source_id, x.kind;
COMMENT ON VIEW answers.row_changes IS 'Rows of the store that were new, replaced, gone or back, per run, source and kind of key; empty without a raw layer.';
