-- How fresh is the warehouse?
-- One row. The last good load is the last that was whole and passed its checks (status ok); a load's time is its start, for what the store took up later it
-- does not have. newest_message_at is over live messages that record their own time, newest_activity_at over live conversations. stores are those
-- that the last load of each source saw, of which it could not read unread_stores whole. sources are those of repositories too.
-- Coverage: a time is NULL where there is no such load, or no store records one.
CREATE OR REPLACE VIEW report.freshness AS
WITH ran AS (
    SELECT max(load_id) FILTER (WHERE status = 'ok') AS last_good_load_id,
           max_by(started_at, load_id) FILTER (WHERE status = 'ok') AS last_good_load_at,
           max(load_id) AS last_load_id,
           max_by(started_at, load_id) AS last_load_at,
           max_by(status, load_id) AS last_load_status
    FROM main.loads
), newest AS (
    SELECT max(last_message_at) AS newest_message_at, max(last_activity_at) AS newest_activity_at FROM main.live_conversations
), looked AS (
    SELECT count(*) AS stores, count(*) FILTER (WHERE NOT is_complete) AS unread_stores
    FROM (SELECT is_complete FROM main.load_stores QUALIFY load_id = max(load_id) OVER (PARTITION BY source_id))
)
SELECT ran.*, newest.*, (SELECT count(*) FROM main.sources) AS sources, looked.*
FROM ran, newest, looked;
COMMENT ON VIEW report.freshness IS 'One row: the last good load, the last load, the newest message and activity, the sources, the stores that could not be read.';
