SELECT load_id, store, family, rows, null_rows, bytes_read, handling FROM key_families ORDER BY ALL;
--> 1 | global | bubbleId | 11 | 2 | 100 | loaded
--> 1 | global | composerData | 3 | 0 | 30 | loaded
--> 2 | global | secret | 9 | 0 | 0 | refused
--> 2 | workspace/w | secret | 6 | 0 | 0 | refused
