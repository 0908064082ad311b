-- How fresh the warehouse is.
SELECT CAST(last_good_load_at AS TIMESTAMP) AS last_good_load, last_load_id, CAST(last_load_at AS TIMESTAMP) AS last_load, last_load_status,
       CAST(newest_message_at AS TIMESTAMP) AS newest_message, sources, stores, unread_stores, current_setting('TimeZone') AS zone
FROM report_freshness;
