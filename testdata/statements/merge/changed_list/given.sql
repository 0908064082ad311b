INSERT INTO _changed VALUES ('s1', 'c1'), ('s2', 'c1'), ('s1', 'c2');
