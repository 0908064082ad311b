-- What did each load do, and was it whole?
-- One row per load, the latest first, with its counts as table loads has them. checks_failed: a check found rows that break a promise of the tables; which, the
-- load printed, and pipeline check says again. Of the stores, unread_stores could not be read whole.
-- Coverage: how many checks failed is not recorded; finished_at is NULL where it is not.
CREATE OR REPLACE VIEW report.loads AS
WITH stores AS (
    SELECT load_id, count(*) AS stores, count(*) FILTER (WHERE NOT is_complete) AS unread_stores
    FROM main.load_stores
    GROUP BY load_id
)
SELECT l.load_id, l.started_at, l.finished_at, l.status, l.mode, l.tool_version,
       l.conversations_new, l.conversations_changed, l.conversations_deleted, l.conversations_unchanged, l.messages_loaded, l.quarantined,
       l.status = 'check_failed' AS checks_failed,
       coalesce(s.stores, 0) AS stores, coalesce(s.unread_stores, 0) AS unread_stores
FROM main.loads l
LEFT JOIN stores s ON s.load_id = l.load_id
ORDER BY l.load_id DESC;
COMMENT ON VIEW report.loads IS 'Each load with its status and counts, the latest first; of the stores, unread_stores could not be read whole.';
