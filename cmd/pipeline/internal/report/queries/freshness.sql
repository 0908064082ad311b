-- How fresh the warehouse is.
SELECT TRY(CAST(last_good_load_at AS TIMESTAMP)) AS last_good_load, last_load_id, TRY(CAST(last_load_at AS TIMESTAMP)) AS last_load, last_load_status,
       TRY(CAST(newest_message_at AS TIMESTAMP)) AS newest_message, sources, stores, unread_stores, current_setting('TimeZone') AS zone
FROM report.freshness;
