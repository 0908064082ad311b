-- A window of size 0 is none.
SELECT day, project, project_uri, source_id, conversation_id, title, model, tokens_used, token_limit, share, is_subagent, CAST(started_at AS VARCHAR) FROM report.context ORDER BY day, project, source_id, conversation_id;
--> 2025-03-10 00:00:00 | api | file:///p/api | s1 | a | Api | NULL | NULL | NULL | NULL | false | 2025-03-10 09:30:00+00
--> 2025-03-10 00:00:00 | web | file:///p/web | s1 | sub | NULL | NULL | NULL | NULL | NULL | true | 2025-03-10 09:01:00+00
--> 2025-03-10 00:00:00 | web | file:///p/web | s1 | w | Parser | auto | 50000 | 200000 | 0.25 | false | 2025-03-10 09:00:00+00
--> 2025-03-11 00:00:00 | api | file:///p/api | s1 | late | Later | NULL | NULL | NULL | NULL | false | 2025-03-11 12:00:00+00
--> 2025-03-11 00:00:00 | web | file:///p/web | s2 | w | Parser again | sonnet | NULL | 200000 | NULL | false | 2025-03-11 10:00:00+00
--> NULL | NULL | NULL | s1 | n | NULL | NULL | NULL | NULL | NULL | false | NULL

-- its last message is of 18:41
SET TimeZone = 'Asia/Kathmandu';
SELECT day FROM report.context WHERE conversation_id = 'w' AND source_id = 's1';
--> 2025-03-11 00:00:00
