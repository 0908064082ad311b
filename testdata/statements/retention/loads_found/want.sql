EXECUTE answer;
--> 0 | NULL | NULL
INSERT INTO _removable_loads VALUES (1, '2025-06-01 00:00:00+00', 3), (2, '2025-06-02 00:00:00+00', 0);
--> 2
EXECUTE answer;
--> 2 | 2025-06-01 00:00:00 | 2025-06-02 00:00:00
