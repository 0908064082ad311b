-- 136.5 and 1 of 137.5 cents
FROM billed_by_model_short;
--> m1 | 1.37 | 1.23 | 506 | 231 | 22 | 5 | NULL
--> m2 | 0.01 | 0.01 | 8 | 0 | 2 | 1 | NULL
--> m3 | NULL | NULL | NULL | NULL | NULL | 0 | 0.07
