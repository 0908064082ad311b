EXECUTE answer;
--> 2 | 1
