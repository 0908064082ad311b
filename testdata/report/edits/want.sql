SELECT day, project, project_uri, model, edits, model_named, decided, accepted, rejected, lines_known, lines_added, lines_removed FROM report.edits ORDER BY day, project, model;
--> 2025-03-10 00:00:00 | api | file:///p/api | o3 | 1 | 1 | 0 | 0 | 0 | 0 | NULL | NULL
--> 2025-03-10 00:00:00 | web | file:///p/web | auto | 1 | 0 | 0 | 0 | 0 | 0 | NULL | NULL
--> 2025-03-10 00:00:00 | web | file:///p/web | gpt-5 | 1 | 1 | 1 | 1 | 0 | 1 | 3 | 1
--> 2025-03-11 00:00:00 | web | file:///p/web | sonnet | 3 | 2 | 1 | 0 | 1 | 2 | 3 | 2

SET TimeZone = 'Asia/Kathmandu';
SELECT day, edits FROM report.edits WHERE model = 'auto';
--> 2025-03-11 00:00:00 | 1
