-- 20 minutes are 0.33 hours; what two projects share on the 10th counts once
FROM active_time_per_day_short;
--> 2025-03-13 00:00:00 | NULL | 1 | 0 | 1 | 0
--> 2025-03-12 00:00:00 | 0 | 1 | 1 | 1 | 100
--> 2025-03-11 00:00:00 | 0.33 | 1 | 0 | 4 | 75
--> 2025-03-10 00:00:00 | 0.33 | 2 | 3 | 5 | 100
