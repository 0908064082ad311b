-- each value a hundred thousand times as large: 2,435 bytes become 243.5 MB
UPDATE internal._known_rows SET value_bytes = value_bytes * 100000;
--> 23
FROM storage_by_project_short;
--> tide | 3 | 243.5 | 100 | 267.5
--> web | 1 | 0 | 0 | 70
