-- web on the 10th: 9:00 to 9:02:30 with the subagent, and 18:30 to 18:41. late began on a day on which api has no message.
SELECT day, project, project_uri, active_ms, prompts, messages, real_times, conversations, day_active_ms FROM report.activity ORDER BY day, project;
--> 2025-03-10 00:00:00 | api | file:///p/api | NULL | 1 | 2 | 0 | 1 | 810000
--> 2025-03-10 00:00:00 | web | file:///p/web | 810000 | 4 | 11 | 10 | 1 | 810000
--> 2025-03-11 00:00:00 | api | file:///p/api | NULL | 0 | 0 | 0 | 1 | 1860000
--> 2025-03-11 00:00:00 | web | file:///p/web | 1860000 | 3 | 6 | 6 | 1 | 1860000
--> NULL | NULL | NULL | NULL | 1 | 2 | 0 | 1 | NULL

SET TimeZone = 'Asia/Kathmandu';
SELECT day, project, active_ms, prompts, messages, conversations, day_active_ms FROM report.activity WHERE project = 'web' ORDER BY day;
--> 2025-03-10 00:00:00 | web | 150000 | 1 | 5 | 1 | 150000
--> 2025-03-11 00:00:00 | web | 2520000 | 6 | 12 | 1 | 2520000
