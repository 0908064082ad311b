-- in two: also two, and that which is empty in one of three; in three: three. The two others with a row in two are empty in one of them
EXECUTE answer;
--> 2 | 2
--> 3 | 1
