SELECT day, project, project_uri, model, answers FROM report.models ORDER BY day, project, model;
--> 2025-03-10 00:00:00 | api | file:///p/api | o3 | 1
--> 2025-03-10 00:00:00 | web | file:///p/web | gpt-5 | 3
--> 2025-03-10 00:00:00 | web | file:///p/web | NULL | 3
--> 2025-03-11 00:00:00 | web | file:///p/web | sonnet | 2
--> 2025-03-11 00:00:00 | web | file:///p/web | NULL | 1
--> NULL | NULL | NULL | NULL | 1

SET TimeZone = 'Asia/Kathmandu';
SELECT day, answers FROM report.models WHERE project = 'web' AND model IS NULL;
--> 2025-03-11 00:00:00 | 4
