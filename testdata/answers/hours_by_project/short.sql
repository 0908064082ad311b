-- 40 minutes are 0.67 hours, 35 of them 0.58, 30 of them 0.5; 10 minutes are 0.17
FROM hours_by_project_short;
--> site | 0.67 | 0.58 | 2 | 2 | 2025-03-11 00:00:00
--> third | 0.67 | 0.5 | 1 | 1 | 2025-03-11 00:00:00
--> other | 0.17 | 0.17 | 1 | 2 | 2025-03-13 00:00:00
--> NULL | NULL | NULL | 1 | 1 | NULL
