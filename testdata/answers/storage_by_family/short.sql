-- both sources together, each value a hundred thousand times as large: 1,500 and 300 bytes become 180 MB
UPDATE internal._known_rows SET value_bytes = value_bytes * 100000;
--> 23
FROM storage_by_family_short;
--> composerData | 3 | 3 | 180 | 250
--> bubbleId | 5 | 4 | 61.5 | 85.5
--> aichat.chatdata | 1 | 1 | 9 | 9
--> composer.content | 1 | 1 | 6 | 6
--> checkpointId | 1 | 1 | 2 | 2
--> workspace.json | NULL | 1 | 0.9 | 0.9
--> (no key) | 1 | 1 | 0.7 | 1.2
--> agentKv:blob | 7 | 0 | NULL | NULL
--> cursorAuth | 2 | 0 | NULL | NULL
