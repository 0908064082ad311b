-- Both edits of b.go are of one conversation; the third was rejected.
SELECT day, project, project_uri, file, edits, lines_known, lines_added, lines_removed, conversations FROM report.files ORDER BY day, project, file;
--> 2025-03-10 00:00:00 | api | file:///p/api | main.go | 1 | 0 | NULL | NULL | 1
--> 2025-03-10 00:00:00 | web | file:///p/web | a.go | 1 | 1 | 3 | 1 | 1
--> 2025-03-10 00:00:00 | web | file:///p/web | c.ts | 1 | 0 | NULL | NULL | 1
--> 2025-03-11 00:00:00 | web | file:///p/web | b.go | 2 | 1 | 1 | NULL | 1

SET TimeZone = 'Asia/Kathmandu';
SELECT day, file FROM report.files WHERE project = 'web' ORDER BY file;
--> 2025-03-10 00:00:00 | a.go
--> 2025-03-11 00:00:00 | b.go
--> 2025-03-11 00:00:00 | c.ts
