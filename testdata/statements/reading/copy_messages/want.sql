-- b, which s1 has no longer; x, which two copies have; y
EXECUTE answer;
--> 3
