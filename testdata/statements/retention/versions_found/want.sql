EXECUTE answer;
--> 0 | 0 | NULL | NULL
INSERT INTO _removable (value_bytes, started_at) VALUES (10, '2025-06-01 00:00:00+00'), (20, '2025-06-02 00:00:00+00');
--> 2
EXECUTE answer;
--> 2 | 30 | 2025-06-01 00:00:00 | 2025-06-02 00:00:00
