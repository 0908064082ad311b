EXECUTE answer(source_id := 's1', until := 2);
--> global | c1 | k1 | 2 | 30 | 2
--> workspace/w | c1 | k5 | 1 | 5 | 1
EXECUTE answer(source_id := 's1', until := 3);
--> global | c1 | k1 | 1 | 10 | 2
--> global | c3 | k4 | 1 | 10 | 3
--> workspace/w | c1 | k5 | 1 | 5 | 1
