-- in two: two, also two, and that which is empty in one of three; in three: three
EXECUTE answer;
--> 2 | 3
--> 3 | 1
