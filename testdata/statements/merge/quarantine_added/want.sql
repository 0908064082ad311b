-- new, back, rewritten.
EXECUTE answer;
--> 3
