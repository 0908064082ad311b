FROM temp._moments ORDER BY ALL;
--> s1 | c1 | 1
--> s1 | c1 | 2
--> s1 | c3 | 4
--> s1 | c4 | 4
--> s1 | c5 | 2
