EXECUTE answer;
--> 5 | 4 | 1 | 1 | 3
