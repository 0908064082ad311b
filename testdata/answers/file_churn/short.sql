-- 80 of 129 lines, 2 of 3, 1 of 6
FROM file_churn_short;
--> a.go | tide | 3 | 80 | 62 | 3
--> d.go | NULL | 2 | 2 | 66.7 | 2
--> b.go | tide | 2 | 1 | 16.7 | 2
--> n.go | tide | 2 | NULL | NULL | 1
