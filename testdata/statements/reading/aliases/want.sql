EXECUTE answer;
--> a | c | 3
--> b | c | 0
--> nobody | z | 0
