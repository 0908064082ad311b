-- 949 of 1,000 tokens are 94.9
FROM context_pressure_short;
--> Over | w | NULL | 150 | unknown
--> Compacted | NULL | NULL | 99 | summarised
--> Shrunk | w | NULL | 96 | summarised
--> Late | l | 2025-03-04 00:00:00 | 95 | ended
--> Moved | m | 2025-03-03 00:00:00 | 94.9 | new conversation
--> Timeless | t | NULL | 90 | unknown
--> Went on | w | 2025-03-01 00:00:00 | 80 | went on
