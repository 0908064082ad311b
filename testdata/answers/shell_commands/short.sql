-- three failures of four known ends
FROM shell_commands_short;
--> npm | 6 | 3 | 75 | 1 | 4
--> rm | 2 | 0 | NULL | 2 | 0
--> ls | 2 | 0 | 0 | 0 | 2
--> NULL | 1 | 0 | NULL | 0 | 0
