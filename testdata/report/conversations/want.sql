-- sub works for w and is a row of its own; late has no message, but it began; n has no time at all. No call, message or event of a day names a model: the list is NULL.
SELECT CAST(day AS VARCHAR), project, project_uri, source_id, conversation_id, title, is_subagent, CAST(started_at AS VARCHAR), messages, CAST(tools AS VARCHAR), CAST(models AS VARCHAR), CAST(billed_models AS VARCHAR)
    FROM report.conversations ORDER BY day, project, source_id, conversation_id;
--> 2025-03-10 | api | file:///p/api | s1 | a | Api | false | 2025-03-10 09:30:00+00 | 2 | [edit_file] | [o3] | NULL
--> 2025-03-10 | web | file:///p/web | s1 | sub | NULL | true | 2025-03-10 09:01:00+00 | 2 | [read_file] | [gpt-5] | NULL
--> 2025-03-10 | web | file:///p/web | s1 | w | Parser | false | 2025-03-10 09:00:00+00 | 9 | [edit_file, grep, read_file] | [gpt-5] | NULL
--> 2025-03-11 | api | file:///p/api | s1 | late | Later | false | 2025-03-11 12:00:00+00 | 0 | NULL | NULL | NULL
--> 2025-03-11 | web | file:///p/web | s2 | w | Parser again | false | 2025-03-11 10:00:00+00 | 6 | [edit_file] | [sonnet] | NULL
--> NULL | NULL | NULL | s1 | n | NULL | false | NULL | 2 | ['(unnamed)'] | NULL | NULL

-- An event of the subagent is its conversation's; what no conversation is known of is no row.
INSERT INTO usage_events (event_id, conversation_id, source_id, occurred_at, model, cost_cents, is_counted, origin, join_method, file, load_id) VALUES
    ('1', 'sub', 's1', '2025-03-12 09:00:00+00', 'm1', 10, true, 'api', 'id', 'f', 1), ('2', NULL, 's1', '2025-03-12 09:00:00+00', 'm9', 10, true, 'csv', 'none', 'f', 1), ('3', 'w', 's1', '2025-03-12 10:00:00+00', 'm1', 1, true, 'api', 'id', 'f', 1);
--> 3
SELECT conversation_id, messages, CAST(tools AS VARCHAR), CAST(billed_models AS VARCHAR) FROM report.conversations WHERE day = '2025-03-12' ORDER BY conversation_id;
--> w | 0 | NULL | [m1]

-- it was 18:30 there when the second prompt of w came
SET TimeZone = 'Asia/Kathmandu';
SELECT CAST(day AS VARCHAR), messages, CAST(tools AS VARCHAR) FROM report.conversations WHERE conversation_id = 'w' AND source_id = 's1' AND messages > 0 ORDER BY day;
--> 2025-03-10 | 3 | [edit_file]
--> 2025-03-11 | 6 | [grep, read_file]
