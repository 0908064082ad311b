-- a hundred cents of nobody, and its estimate
FROM billed_by_project_short;
--> NULL | 1 | 1 | 4 | 1 | 2 | 2 | 0.07
--> shop | 0.33 | 0.24 | 410 | 180 | 16 | 3 | NULL
--> blog | 0.05 | 0 | 100 | 50 | 6 | 1 | NULL
