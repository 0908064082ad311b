-- 12.5 cents are 0.13 dollars
FROM billed_by_commit_short;
--> 2026-05-01 00:00:00 | Better | 0.2 | 0.2 | 3 | 0 | 4 | NULL
--> 2026-05-01 00:00:00 | Make it | 0.13 | 0.04 | 407 | 180 | 12 | NULL
