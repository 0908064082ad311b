-- one of three items with a state; one of two that were not cancelled; one of one
FROM todo_progress_short;
--> Plan | tide | 4 | 1 | 33.3 | 3
--> Own list | tide | 3 | 1 | 50 | 3
--> Elsewhere | NULL | 1 | 1 | 100 | 1
