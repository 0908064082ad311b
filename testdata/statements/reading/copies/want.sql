-- in two: two, also two; in three: three
EXECUTE answer;
--> 2 | 2
--> 3 | 1
