-- the latest first, those without a real time last; which of m1's edits the call's lines belong to is not known
SELECT conversation_id, message_id, edit_id, recorded_in, file, file_type, is_accepted, lines_added, lines_removed FROM code_edit_outcomes;
--> w | m0 | NULL | tool_calls | src/Ä.cs | cs | true | 2 | 2
--> c | m3 | NULL | tool_calls | a.sql | sql | false | 0 | 4
--> c | m1 | e1 | code_edits | src/App.TSX | tsx | NULL | 5 | 2
--> c | m1 | e2 | code_edits | /srv/Makefile | makefile | false | NULL | NULL
--> c | m0 | e0 | code_edits | cmd/main.go | go | true | 7 | 3
--> c | m2 | NULL | tool_calls | a.sql | sql | NULL | NULL | NULL
--> c | m9 | e3 | code_edits | /home/a/tidewater/x.py | py | true | NULL | NULL

SELECT message_id, project, title, turn, model, model_source, proposed_at, message_at FROM code_edit_outcomes;
--> m0 | Led | Windows | 1 | NULL | NULL | 2025-03-11 09:00:00 | 2025-03-11 09:00:00
--> m3 | tide | One | 2 | auto | conversation | 2025-03-10 09:03:00 | 2025-03-10 09:03:00
--> m1 | tide | One | 1 | auto | conversation | 2025-03-10 09:01:00 | 2025-03-10 09:01:00
--> m1 | tide | One | 1 | auto | conversation | 2025-03-10 09:01:00 | 2025-03-10 09:01:00
--> m0 | tide | One | 1 | gpt-5 | message | 2025-03-10 09:00:05 | 2025-03-10 09:00:00
--> m2 | tide | One | 2 | auto | conversation | NULL | 2025-03-10 09:01:00
--> m9 | tide | One | NULL | auto | conversation | NULL | NULL
