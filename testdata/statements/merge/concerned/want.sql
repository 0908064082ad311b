EXECUTE answer;
--> false
INSERT INTO _changed VALUES ('s1', 'c2');
--> 1
EXECUTE answer;
--> true
