-- 20 and 10 cents of two models; requests of which no cost is known
FROM cost_by_conversation_short;
--> Elsewhere | NULL | NULL | 1 | 0.5 | 5
--> Shared | NULL | NULL | 2 | 0.3 | 4
--> Free | NULL | NULL | 1 | 0 | 1
--> Counted | NULL | NULL | 1 | NULL | 3
