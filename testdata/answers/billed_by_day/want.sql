-- m1 of shop: 180 of 400 tokens of input were read from the cache; an event without a split says nothing of its share
SELECT * REPLACE (CAST(day AS VARCHAR) AS day) FROM billed_by_day;
--> 2026-05-02 | shop | file:///shop | m1 | 1 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0 | 1 | 0 | 0 | NULL | NULL | NULL | 0
--> 2026-05-01 | NULL | NULL | m1 | 1 | 1 | 1 | 1 | 1 | 0.3333 | 99 | 99 | 1 | 1 | 0 | 0 | 0 | NULL | NULL | NULL | 0
--> 2026-05-01 | shop | file:///shop | m1 | 2 | 200 | 20 | 180 | 11 | 0.45 | 12.5 | 4 | 2 | 2 | 2 | 1 | 0 | NULL | NULL | NULL | 0
--> 2026-05-01 | shop | file:///shop | m2 | 1 | 7 | NULL | NULL | 1 | NULL | NULL | NULL | 1 | 0 | 1 | 0 | 0 | NULL | NULL | NULL | 0
