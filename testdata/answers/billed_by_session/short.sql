-- 65 cents an hour, 20 cents an hour
FROM billed_by_session_short;
--> NULL | NULL | NULL | 1 | 1 | 4 | 2 | NULL | NULL
--> Cart | shop | 2026-05-01 00:00:00 | 0.33 | 0.24 | 410 | 16 | 0.65 | NULL
--> Post | blog | 2026-05-02 00:00:00 | 0.05 | 0 | 100 | 6 | 0.2 | NULL
--> Chat | NULL | 2026-05-03 00:00:00 | NULL | NULL | NULL | NULL | NULL | 0.07
