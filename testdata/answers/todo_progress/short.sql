-- one of three items with a state; two of three that were not cancelled; one of two; one of one
FROM todo_progress_short;
--> Plan | tide | 4 | 1 | 33.3 | 3
--> Numbers | NULL | 4 | 2 | 66.7 | 4
--> Own list | tide | 3 | 1 | 50 | 3
--> Elsewhere | NULL | 1 | 1 | 100 | 1
