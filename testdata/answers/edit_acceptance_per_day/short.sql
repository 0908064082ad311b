-- 10 of 30 lines of Tab, 140 of 200 of the composer; the 7 lines without a suggested number are in no percentage
FROM edit_acceptance_per_day_short;
--> 2025-03-11 00:00:00 | NULL | NULL | 0 | NULL
--> 2025-03-10 00:00:00 | 17 | 33.3 | 140 | 70
