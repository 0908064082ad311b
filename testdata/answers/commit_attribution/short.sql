-- 30 of 40 lines on main, which comes before side
FROM commit_attribution_short;
--> 2025-03-10 00:00:00 | Make it | 30 | 10 | 75
--> 2025-03-09 00:00:00 | Alone | 5 | 0 | 100
--> 2025-03-08 00:00:00 | NULL | NULL | NULL | NULL
