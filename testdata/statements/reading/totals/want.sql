EXECUTE answer;
--> 2 | 7 | 1 | 1 | 1 | 2 | 5 | 3
