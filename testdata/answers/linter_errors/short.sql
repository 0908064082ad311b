-- two turns compared: three errors before, five after
FROM linter_errors_short;
--> Clean up | src/main.go | 4 | 2 | 3 | 5
--> Clean up | NULL | 1 | 0 | NULL | NULL
--> Clean up | src/util.go | 1 | 0 | NULL | NULL
