FROM waiting_short;
--> m1 | 4 | 2 | 15 | 19.5
--> m2 | 1 | 0 | NULL | NULL
--> NULL | 1 | 0 | NULL | NULL
