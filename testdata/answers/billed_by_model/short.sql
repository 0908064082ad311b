-- 136.5 and 1 of 137.5 cents
FROM billed_by_model_short;
--> m1 | 1.37 | 99.3 | 5 | 5 | NULL
--> m2 | 0.01 | 0.7 | 2 | 1 | NULL
--> m3 | NULL | NULL | 0 | 0 | 0.07
