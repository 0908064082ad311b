-- 12.5, 20, 5 and 100 of 137.5 cents
FROM billed_by_outcome_short;
--> done | 3 | 0.13 | 9.1 | 2 | 0.07
--> failed | 1 | 0.2 | 14.5 | 1 | NULL
--> rejected | 1 | 0.05 | 3.6 | 1 | NULL
--> NULL | 0 | 1 | 72.7 | 2 | NULL
