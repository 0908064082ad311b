-- site on the 10th: 23:40 to midnight, 20 minutes, the shared ten once; other's ten minutes lie within them and add nothing to the day's
SELECT day, project, active_ms, periods, messages, prompts, real_times, day_active_ms FROM active_time_per_day;
--> 2025-03-13 00:00:00 | other | NULL | 0 | 1 | 0 | 0 | NULL
--> 2025-03-12 00:00:00 | other | 0 | 1 | 1 | 1 | 1 | 0
--> 2025-03-11 00:00:00 | site | 1200000 | 1 | 4 | 0 | 3 | 1200000
--> 2025-03-10 00:00:00 | site | 1200000 | 2 | 3 | 2 | 3 | 1200000
--> 2025-03-10 00:00:00 | other | 600000 | 1 | 2 | 1 | 2 | 1200000
--> NULL | NULL | NULL | 0 | 1 | 1 | 0 | NULL
