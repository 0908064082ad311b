-- two loops
FROM edit_loops_short;
--> One | a.go | 4 | 4 | 2025-03-10 00:00:00 | 0
--> Other | a.go | 3 | 3 | 2025-03-10 00:00:00 | 0
