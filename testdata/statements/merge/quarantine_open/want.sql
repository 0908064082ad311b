EXECUTE answer;
--> true
