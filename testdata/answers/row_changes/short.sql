-- sources and kinds together, each value a hundred thousand times as large: 45, 20 and 300 bytes become 36.5 MB
UPDATE internal._known_rows SET value_bytes = value_bytes * 100000;
--> 23
FROM row_changes_short;
--> 3 | 2025-06-02 00:00:00 | 2 | 1 | 0 | 36.5
--> 2 | 2025-06-02 00:00:00 | 0 | 2 | 4 | 19
--> 1 | 2025-06-01 00:00:00 | 13 | 0 | 0 | 299.1
