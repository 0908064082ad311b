-- 12.5, 20, 5 and 100 of 137.5 cents
FROM billed_by_outcome_short;
--> done | 3 | 0.13 | 0.04 | 9.1 | 407 | 12 | 2 | 0.07
--> failed | 1 | 0.2 | 0.2 | 14.5 | 3 | 4 | 1 | NULL
--> rejected | 1 | 0.05 | 0 | 3.6 | 100 | 6 | 1 | NULL
--> NULL | 0 | 1 | 1 | 72.7 | 4 | 2 | 2 | NULL
