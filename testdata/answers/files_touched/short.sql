-- a failed call counts in failed alone
FROM files_touched_short;
--> src/main.go | tide | 2 | 1 | 0 | 2025-03-11 00:00:00
--> README | tide | 1 | 0 | 0 | 2025-03-10 00:00:00
--> src/util.go | tide | 0 | 1 | 1 | 2025-03-10 00:00:00
--> /home/m/tide2/src/main.go | tide | 0 | 1 | 0 | 2025-03-12 00:00:00
--> src/main.go | tide | 0 | 1 | 0 | 2025-03-12 00:00:00
