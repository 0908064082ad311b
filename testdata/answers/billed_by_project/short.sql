-- a hundred cents of nobody, and its estimate
FROM billed_by_project_short;
--> NULL | 2 | 1 | 2 | 2 | 0.07
--> shop | 2 | 0.33 | 4 | 3 | NULL
--> blog | 1 | 0.05 | 1 | 1 | NULL
