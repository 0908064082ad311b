-- The last load looked at s1 alone, where workspace/x is no more; that of s2 was the second.
SELECT last_good_load_id, last_good_load_at, last_load_id, last_load_at, last_load_status, newest_message_at, newest_activity_at, sources, stores, unread_stores FROM report.freshness;
--> 1 | 2025-05-01 00:00:00 | 3 | 2025-06-01 00:00:00 | check_failed | 2025-03-11 10:31:00 | 2025-03-11 12:00:00 | 3 | 4 | 1

-- A warehouse without anything has the row as well.
DELETE FROM loads;
--> 3
DELETE FROM load_stores;
--> 6
DELETE FROM conversations;
--> 9
SELECT last_good_load_id, last_load_status, newest_message_at, newest_activity_at, stores, unread_stores FROM report.freshness;
--> NULL | NULL | NULL | NULL | 0 | 0
