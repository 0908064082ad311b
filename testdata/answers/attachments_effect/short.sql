-- one failure of two; one accepted edit of one
FROM attachments_effect_short;
--> file | 2 | 1 | 50 | 100
--> (none) | 1 | 2 | 0 | NULL
--> rule | 1 | 2 | 50 | 100
--> doc | 0 | NULL | NULL | NULL
--> link | 0 | NULL | NULL | NULL
