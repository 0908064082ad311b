-- two of three turns; 4 seconds of two thoughts whose time is recorded
FROM thinking_time_short;
--> gpt-5 | 3 | 2 | 66.7 | 2 | 2
--> (unknown) | 1 | 1 | 100 | 0 | 1
