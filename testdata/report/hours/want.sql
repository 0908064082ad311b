SELECT day, project, project_uri, weekday, hour, prompts, messages FROM report.hours ORDER BY day, project, hour;
--> 2025-03-10 00:00:00 | api | file:///p/api | NULL | NULL | 1 | 2
--> 2025-03-10 00:00:00 | web | file:///p/web | 1 | 9 | 1 | 4
--> 2025-03-10 00:00:00 | web | file:///p/web | 1 | 18 | 3 | 6
--> 2025-03-10 00:00:00 | web | file:///p/web | NULL | NULL | 0 | 1
--> 2025-03-11 00:00:00 | web | file:///p/web | 2 | 10 | 3 | 6
--> NULL | NULL | NULL | NULL | NULL | 1 | 2

-- 9:00 is 14:45 there, 18:30 is 0:15 of the next day, 10:30 is 16:15; a message without a time of its own has an hour nowhere
SET TimeZone = 'Asia/Kathmandu';
SELECT day, weekday, hour, prompts, messages FROM report.hours WHERE project = 'web' ORDER BY day, hour;
--> 2025-03-10 00:00:00 | 1 | 14 | 1 | 4
--> 2025-03-10 00:00:00 | NULL | NULL | 0 | 1
--> 2025-03-11 00:00:00 | 2 | 0 | 3 | 6
--> 2025-03-11 00:00:00 | 2 | 15 | 2 | 4
--> 2025-03-11 00:00:00 | 2 | 16 | 1 | 2

-- ten hours behind UTC: 9:00 is 23:00 of Sunday, 18:30 is 8:30, 10:00 is midnight
SET TimeZone = 'Pacific/Honolulu';
SELECT day, weekday, hour, messages FROM report.hours WHERE project = 'web' AND hour IS NOT NULL ORDER BY day, hour;
--> 2025-03-09 00:00:00 | 7 | 23 | 4
--> 2025-03-10 00:00:00 | 1 | 8 | 6
--> 2025-03-11 00:00:00 | 2 | 0 | 6
