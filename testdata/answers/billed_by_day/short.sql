-- 99 and 12.5 cents of 1 May, 99 and 4 of them charged
FROM billed_by_day_short;
--> 2026-05-02 00:00:00 | NULL | NULL | NULL | NULL | NULL | 0 | NULL
--> 2026-05-01 00:00:00 | 1.12 | 1.03 | 410 | 181 | 13 | 3 | NULL
