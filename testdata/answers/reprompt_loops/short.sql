-- the longest run first
FROM reprompt_loops_short;
--> NULL | weiter | 4 | 0 | NULL
--> NULL | word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word  | 3 | 0 | NULL
--> NULL | ??? | 3 | 0 | NULL
--> One | Fix the build of the parser | 3 | 1 | 2025-03-10 00:00:00
--> Other | alpha beta gamma | 3 | 0 | 2025-03-11 00:00:00
