-- projects of a week, a week each; four of six messages record their time
FROM sessions_per_week_short;
--> 2025-03-17 00:00:00 | 2 | 1 | 1 | 0 | 100
--> 2025-03-10 00:00:00 | 1 | 3 | 3 | 3 | 66.7
