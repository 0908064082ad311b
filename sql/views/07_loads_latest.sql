-- How fresh is the warehouse? For each source the latest run that looked at it, and what it read of it.
-- The conversations_... columns of a run are over all its sources.
CREATE OR REPLACE VIEW loads_latest AS
WITH stores AS (
    SELECT source_id, load_id, count(*) AS stores,
           count(*) FILTER (WHERE NOT is_complete) AS incomplete_stores,
           TRY_CAST(sum(bytes) AS BIGINT) AS bytes,
           TRY_CAST(sum(rows_seen) AS BIGINT) AS rows_seen,
           TRY_CAST(sum(rows_read) AS BIGINT) AS rows_read,
           TRY_CAST(sum(rows_changed) AS BIGINT) AS rows_changed
    FROM load_stores
    GROUP BY source_id, load_id
), latest AS (
    SELECT source_id, max(load_id) AS load_id FROM stores GROUP BY source_id
)
SELECT s.source_id, l.*, s.stores, s.incomplete_stores, s.bytes, s.rows_seen, s.rows_read, s.rows_changed
FROM latest
JOIN stores s ON s.source_id = latest.source_id AND s.load_id = latest.load_id
JOIN loads l ON l.load_id = latest.load_id;
COMMENT ON VIEW loads_latest IS 'For each source the latest run that looked at it, and what it read of it.';
