-- each value a hundred thousand times as large: 1,215 bytes become 121.5 MB
UPDATE internal._known_rows SET value_bytes = value_bytes * 100000;
--> 23
FROM storage_by_conversation_short;
--> Large | tide | 4 | 121.5 | 145.5
--> Small | tide | 3 | 92 | 92
--> Elsewhere | tide | 1 | 30 | 30
--> Gone | web | 0 | 0 | 70
