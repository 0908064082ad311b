-- 20 and 500 ms; the middle of an even number is the lower one
FROM slow_tools_short;
--> read_file | 6 | 5 | 0.02 | 0.5 | 0
--> edit_file | 2 | 2 | 0.07 | 0.07 | 0
--> (unnamed) | 1 | 1 | 0 | 0 | 0
--> grep | 1 | 0 | NULL | NULL | 0
