-- 2 June: 120 + 70 of the first run, 45 + 20 of the second; marks have no bytes
SELECT day, source_id, store_bytes, grown_bytes, new_versions, new_bytes, kept_bytes, loads, loads_kept, stores, stores_sized FROM storage_growth;
--> 2025-06-03 00:00:00 | s1 | 15000 | -1000 | NULL | NULL | 3246 | 1 | 0 | 2 | 2
--> 2025-06-03 00:00:00 | s3 | NULL | NULL | NULL | NULL | NULL | 1 | 0 | 1 | 0
--> 2025-06-02 00:00:00 | s1 | 16000 | 5000 | 4 | 255 | 3246 | 2 | 2 | 2 | 2
--> 2025-06-02 00:00:00 | s2 | 700 | NULL | 1 | 300 | 300 | 1 | 1 | 2 | 1
--> 2025-06-01 00:00:00 | s1 | 11000 | NULL | 13 | 2991 | 2991 | 1 | 1 | 2 | 2
