EXECUTE answer(source_id := 's1', until := 2);
--> global | bubbleId | 4 | 2 | 31
EXECUTE answer(source_id := 's1', until := 3);
--> global | bubbleId | 3 | 2 | 11
--> global | composerData | 1 | 0 | 5
