-- How fast does Cursor's store grow, and how much of it is rewritten?
-- One row per day and source with a run, the latest day first. Days are cut in the reader's TimeZone, by the start of the run.
-- store_bytes is the size of the source's databases (with their -wal) at the last run of the day, over the stores that it could read; grown_bytes what that is more
-- than on the day before in this list. new_versions and new_bytes are what the raw layer took in that day: rows that were new and rows that
-- were rewritten, each rewriting once per run however often it happened in between. Marks (a row is gone, or an earlier version is back) have no bytes: see row_changes.
-- Coverage: of the loads, loads_kept wrote to the raw layer (one that found nothing changed has nothing to write);
-- new_versions is NULL where none did. Of the stores of the last run, stores_sized have a size.
CREATE OR REPLACE VIEW answers.storage_growth AS
WITH looked AS (
    SELECT s.source_id, l.load_id, CAST(l.started_at AS DATE) AS day, count(*) AS stores, count(s.bytes) AS stores_sized, sum(s.bytes) AS bytes
    FROM main.load_stores s
    JOIN main.loads l ON l.load_id = s.load_id
    GROUP BY s.source_id, l.load_id, l.started_at
), days AS (
    SELECT source_id, day, count(*) AS loads, arg_max(stores, load_id) AS stores, arg_max(stores_sized, load_id) AS stores_sized,
           arg_max(coalesce(bytes, -1), load_id) AS bytes -- arg_max passes over NULLs
    FROM looked
    GROUP BY source_id, day
), parts AS (
    SELECT source_id, seq, count(*) FILTER (WHERE NOT is_mark) AS versions, sum(value_bytes) FILTER (WHERE NOT is_mark) AS bytes
    FROM internal._known_rows
    GROUP BY source_id, seq
), written AS (
    SELECT split_part(p.raw_file, '/', 1) AS source_id, p.load_id, CAST(l.started_at AS DATE) AS day,
           coalesce(f.versions, 0) AS versions, coalesce(f.bytes, 0) AS bytes
    FROM internal._raw_parts p
    LEFT JOIN main.loads l ON l.load_id = p.load_id
    LEFT JOIN parts f ON f.seq = p.seq
), kept AS (
    SELECT source_id, day, count(DISTINCT load_id) AS loads, sum(versions) AS versions, sum(bytes) AS bytes
    FROM written
    WHERE day IS NOT NULL
    GROUP BY ALL
), earlier AS (
    SELECT source_id, sum(bytes) AS bytes FROM written WHERE day IS NULL GROUP BY source_id
)
SELECT d.day, d.source_id,
       TRY_CAST(nullif(d.bytes, -1) AS BIGINT) AS store_bytes,
       TRY_CAST(nullif(d.bytes, -1) - lag(nullif(d.bytes, -1)) OVER (PARTITION BY d.source_id ORDER BY d.day) AS BIGINT) AS grown_bytes,
       TRY_CAST(k.versions AS BIGINT) AS new_versions,
       TRY_CAST(k.bytes AS BIGINT) AS new_bytes,
       TRY_CAST(sum(k.bytes) OVER (PARTITION BY d.source_id ORDER BY d.day) + coalesce(e.bytes, 0) AS BIGINT) AS kept_bytes,
       d.loads, coalesce(k.loads, 0) AS loads_kept, d.stores, d.stores_sized
FROM days d
LEFT JOIN kept k ON k.source_id = d.source_id AND k.day = d.day
LEFT JOIN earlier e ON e.source_id = d.source_id
ORDER BY d.day DESC, d.source_id;
COMMENT ON VIEW answers.storage_growth IS 'Size of the stores and new row versions per day; of the loads, loads_kept wrote to the raw layer.';
