-- The loads, the latest first.
SELECT load_id, TRY(CAST(started_at AS TIMESTAMP)) AS started, status, mode, conversations_new, conversations_changed, conversations_deleted,
       messages_loaded, quarantined, unread_stores, stores
FROM report.loads
ORDER BY load_id DESC;
