-- the day of an edit without a time of its own is that of its message
FROM code_edit_outcomes_short;
--> 2025-03-11 00:00:00 | Led | src/Ä.cs | accepted | 2 | 2
--> 2025-03-10 00:00:00 | tide | a.sql | rejected | 0 | 4
--> 2025-03-10 00:00:00 | tide | a.sql | NULL | NULL | NULL
--> 2025-03-10 00:00:00 | tide | src/App.TSX | NULL | 5 | 2
--> 2025-03-10 00:00:00 | tide | /srv/Makefile | rejected | NULL | NULL
--> 2025-03-10 00:00:00 | tide | cmd/main.go | accepted | 7 | 3
--> NULL | tide | /home/a/tidewater/x.py | accepted | NULL | NULL
