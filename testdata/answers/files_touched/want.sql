SELECT project_uri, file, edits, reads, deletes, failed, read_never_edited, conversations, first_at, last_at FROM files_touched;
--> file:///c:/w/tide | src/main.go | 2 | 1 | 0 | 0 | false | 2 | 2025-03-10 09:00:10 | 2025-03-11 09:00:10
--> file:///c:/w/tide | README | 1 | 0 | 1 | 0 | false | 1 | 2025-03-10 09:00:50 | 2025-03-10 09:00:50
--> file:///c:/w/tide | src/util.go | 0 | 1 | 0 | 1 | true | 1 | 2025-03-10 09:00:30 | 2025-03-10 09:00:30
--> file:///home/m/tide | /home/m/tide2/src/main.go | 0 | 1 | 0 | 0 | true | 1 | 2025-03-12 09:00:10 | 2025-03-12 09:00:10
--> file:///home/m/tide | src/main.go | 0 | 1 | 0 | 0 | true | 1 | 2025-03-12 09:00:10 | 2025-03-12 09:00:10
-- the failed edit has no time of its own; one call of seven names no file
SELECT file, calls, times_known, project_calls, project_calls_with_file FROM files_touched WHERE project_uri = 'file:///c:/w/tide';
--> src/main.go | 3 | 3 | 7 | 6
--> README | 1 | 1 | 7 | 6
--> src/util.go | 2 | 1 | 7 | 6
