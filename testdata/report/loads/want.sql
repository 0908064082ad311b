SELECT load_id, started_at, finished_at, status, mode, tool_version, checks_failed, stores, unread_stores FROM report.loads;
--> 3 | 2025-06-01 00:00:00 | 2025-06-01 00:00:01 | check_failed | incremental | v | true | 2 | 1
--> 2 | 2025-05-02 00:00:00 | 2025-05-02 00:00:01 | partial | incremental | v | false | 2 | 0
--> 1 | 2025-05-01 00:00:00 | 2025-05-01 00:00:02 | ok | first | v | false | 2 | 1
SELECT load_id, conversations_new, conversations_changed, conversations_deleted, conversations_unchanged, messages_loaded, quarantined FROM report.loads;
--> 3 | 0 | 0 | 1 | 7 | 0 | 0
--> 2 | 1 | 1 | 0 | 6 | 4 | 2
--> 1 | 7 | 0 | 0 | 0 | 20 | 2
