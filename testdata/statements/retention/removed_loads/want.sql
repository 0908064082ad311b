EXECUTE answer(setting := 'new');
--> 5 | 5
INSERT INTO _meta VALUES ('new', '10');
--> 1
EXECUTE answer(setting := 'new');
--> 5 | 15
