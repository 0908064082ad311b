FROM time_of_day_short;
--> 9 | 3 | 75 | 3 | 0
--> 23 | 1 | 25 | 0 | 1
