-- stores and values a thousand times as large: 16,000 and 700 bytes become 16.7 MB, 255 and 300 become 0.6
UPDATE internal._known_rows SET value_bytes = value_bytes * 1000;
--> 23
UPDATE load_stores SET bytes = bytes * 1000;
--> 11
FROM storage_growth_short;
--> 2025-06-03 00:00:00 | 15 | -1 | NULL | NULL
--> 2025-06-02 00:00:00 | 16.7 | 5 | 5 | 0.6
--> 2025-06-01 00:00:00 | 11 | NULL | 13 | 3
