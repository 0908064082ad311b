-- Which kinds of rows take the space in Cursor's store?
-- One row per source and key family, most bytes first. store_rows, null_rows and bytes_read are what the last run that looked at the store counted (bytes_read:
-- only values that it had to read). kept_rows and present_bytes are the rows of the raw layer as the store has them now, by the size of their
-- values; versions and kept_bytes all versions that it keeps (see storage_by_conversation for what is the present one).
-- By default the raw layer keeps the families that a table is built from, composer.content and ofsContent; of the others nothing is kept. handling: loaded, raw_only,
-- refused (secrets, never read) or unknown; unknown keys are grouped by the first part of their pattern. Rows of other places have a family for each table: cli.blob and cli.meta for chats of the command
-- line, transcript.file, plans.file, ai-tracking, and git and usage, which are no store of Cursor: their store_rows are NULL where no run counts them. A workspace.json is a file, not a row of a store: store_rows is NULL.
-- Coverage: of the rows in the store (store_rows), the raw layer has kept_rows, and the bytes are those of these; NULL bytes: the raw layer has none of the family.
CREATE OR REPLACE VIEW answers.storage_by_family AS
WITH looked AS (
    SELECT source_id, store, max(load_id) AS load_id FROM main.key_families GROUP BY source_id, store
), counted AS (
    SELECT f.source_id, CASE WHEN f.handling = 'unknown' THEN split_part(f.family, ':', 1) ELSE f.family END AS family, min(f.handling) AS handling, sum(f.rows) AS rows, sum(f.null_rows) AS null_rows, sum(f.bytes_read) AS bytes_read
    FROM main.key_families f
    JOIN looked l ON l.source_id = f.source_id AND l.store = f.store AND l.load_id = f.load_id
    GROUP BY ALL
), kept AS (
    SELECT source_id, store, table_name, conversation_id, key_type, key, coalesce(key_bytes, ''::BLOB) AS key_bytes, coalesce(hash, '') AS hash, is_mark, seq, value_bytes,
           CASE WHEN key_type = 'null' THEN hash ELSE '' END AS unnamed -- rows whose key is NULL are told apart by what they hold
    FROM internal._known_rows
), later AS (
    SELECT DISTINCT k.source_id, k.key
    FROM kept k
    JOIN (SELECT source_id, min(seq) AS seq FROM kept GROUP BY source_id) f ON f.source_id = k.source_id AND k.seq > f.seq
), latest AS (
    SELECT k.source_id, k.store, k.table_name, k.conversation_id, k.key_type, k.key, k.key_bytes, k.unnamed,
           arg_max(k.value_bytes, k.seq) AS bytes, arg_max(k.is_mark, k.seq) AS is_mark, arg_max(k.hash, k.seq) AS hash,
           count(*) FILTER (WHERE NOT k.is_mark) AS versions, sum(k.value_bytes) FILTER (WHERE NOT k.is_mark) AS kept_bytes
    FROM kept k
    SEMI JOIN later l ON l.source_id = k.source_id AND l.key = k.key
    GROUP BY ALL
), present AS (
    SELECT k.source_id, k.table_name, k.key_type, k.key, CASE WHEN NOT k.is_mark THEN k.value_bytes END AS present_bytes, 1 AS versions, k.value_bytes AS kept_bytes
    FROM kept k
    ANTI JOIN later l ON l.source_id = k.source_id AND l.key = k.key
    UNION ALL
    SELECT source_id, table_name, key_type, key, CASE WHEN NOT is_mark THEN bytes END, versions, kept_bytes
    FROM latest
    WHERE NOT is_mark OR hash = '' OR key_type = 'null'
    UNION ALL
    SELECT l.source_id, l.table_name, l.key_type, l.key, e.value_bytes, l.versions, l.kept_bytes
    FROM (FROM latest WHERE is_mark AND hash <> '' AND key_type <> 'null') l
    LEFT JOIN (FROM kept WHERE NOT is_mark) e ON e.source_id = l.source_id AND e.store = l.store AND e.table_name = l.table_name
        AND e.conversation_id = l.conversation_id AND e.key_type = l.key_type AND e.key = l.key AND e.key_bytes = l.key_bytes AND e.hash = l.hash
), cut AS ( -- the part of a key before the first : or, where the grammar has none, the fixed beginning
    SELECT source_id, table_name, key_type, present_bytes, versions, kept_bytes,
           CASE WHEN table_name NOT IN ('cursorDiskKV', 'ItemTable', 'file') THEN '' -- each of its rows is of the same kind, or of few
                WHEN table_name = 'file' THEN split_part(key, '/', -1)
                WHEN table_name = 'cursorDiskKV' AND starts_with(key, 'agentKv:') THEN regexp_extract(key, '^agentKv(:(blob|checkpoint|bubbleCheckpoint|artifact):)?')
                WHEN table_name = 'cursorDiskKV' AND contains(key, ':') AND NOT ends_with(key, ':cloudAgent:metadata') THEN split_part(key, ':', 1) || ':'
                WHEN starts_with(key, 'composer.content.') THEN 'composer.content.'
                WHEN starts_with(key, 'aiCodeTracking.dailyStats') THEN 'aiCodeTracking.dailyStats'
                ELSE key END AS head
    FROM present
), grouped AS (
    SELECT source_id, table_name, key_type, head, count(present_bytes) AS kept_rows, sum(present_bytes) AS present_bytes,
           sum(versions) AS versions, sum(kept_bytes) AS kept_bytes
    FROM cut
    GROUP BY source_id, table_name, key_type, head
), named AS (
    SELECT *, CASE WHEN key_type = 'null' THEN '(no key)'
                   WHEN table_name IN ('composerHeaders', 'git', 'usage') THEN table_name
                   WHEN table_name = 'blobs' THEN 'cli.blob'
                   WHEN table_name = 'meta' THEN 'cli.meta'
                   WHEN table_name = 'file' THEN CASE head WHEN 'meta.json' THEN 'cli.meta.json' WHEN 'store.db' THEN 'cli.copy' ELSE head END
                   WHEN table_name IN ('plans', 'transcript') THEN table_name || '.file'
                   WHEN table_name NOT IN ('cursorDiskKV', 'ItemTable') THEN 'ai-tracking.' || table_name
                   WHEN table_name = 'ItemTable' THEN CASE WHEN starts_with(head, 'workbench.panel.composerChatViewPane') THEN 'workbench.panel.composerChatViewPane'
                                                           WHEN ends_with(head, 'chat.chatdata') THEN 'aichat.chatdata' ELSE head END
                   WHEN ends_with(head, ':cloudAgent:metadata') THEN 'cloudAgent:metadata'
                   WHEN regexp_matches(head, '^(composer\.content|inlineDiffs|inlineDiffsData|expectedContent|ai_hashes|ai_accepted_diffs|model-nudge|composer\.composerHeaders\.migratedToTable)($|[.-])')
                   THEN regexp_extract(head, '^(composer\.content|inlineDiffsData|inlineDiffs|expectedContent|ai_hashes|ai_accepted_diffs|model-nudge|composer\.composerHeaders\.migratedToTable)')
                   ELSE rtrim(head, ':') END AS family
    FROM grouped
), sizes AS (
    SELECT source_id, family, sum(kept_rows) AS kept_rows, sum(present_bytes) AS present_bytes, sum(versions) AS versions, sum(kept_bytes) AS kept_bytes
    FROM named
    GROUP BY source_id, family
)
SELECT coalesce(c.source_id, s.source_id) AS source_id, coalesce(c.family, s.family) AS family, c.handling,
       TRY_CAST(c.rows AS BIGINT) AS store_rows, TRY_CAST(c.null_rows AS BIGINT) AS null_rows, TRY_CAST(c.bytes_read AS BIGINT) AS bytes_read,
       TRY_CAST(coalesce(s.kept_rows, 0) AS BIGINT) AS kept_rows,
       TRY_CAST(s.present_bytes AS BIGINT) AS present_bytes,
       TRY_CAST(s.versions AS BIGINT) AS versions,
       TRY_CAST(s.kept_bytes AS BIGINT) AS kept_bytes
FROM counted c
FULL JOIN sizes s ON s.source_id = c.source_id AND s.family = c.family
ORDER BY present_bytes DESC NULLS LAST, store_rows DESC NULLS LAST, source_id, family;
COMMENT ON VIEW answers.storage_by_family IS 'Rows and bytes per key family, as the store has them now and as kept; of the rows in the store (store_rows), the bytes are those of kept_rows.';
