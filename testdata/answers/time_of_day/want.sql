FROM time_of_day;
--> 1 | 9 | 3 | 2 | 1
--> 7 | 23 | 1 | 1 | 1
