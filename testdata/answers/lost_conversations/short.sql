-- most messages first; the orphan has no time
FROM lost_conversations_short;
--> Head | tide | headless | 3 | 2025-03-11 00:00:00
--> Gone | tide | deleted | 2 | 2025-03-10 00:00:00
--> Blank | NULL | unlisted | 1 | 2025-03-12 00:00:00
--> NULL | NULL | orphaned | 1 | NULL
