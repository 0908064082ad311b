EXECUTE answer;
--> 3 | 1 | 7 | 1 | 1 | 1 | 2 | 5 | 3
