-- h1 is in two files. p2 and c2 are the turn that the hook has told of; p3 came before a prompt. c1 is just within the minute after the turn, c3 just beyond. c5 is p4.
-- c7 may be of x or of y, c8 came before y began. c9 is of a cloud agent that no store has.
SELECT event_id, source_id, conversation_id, message_id, join_method, is_counted, file FROM usage_events ORDER BY ALL;
--> c1 | s1 | b | b1 | time | true | usage.csv
--> c2 | s1 | a | u1 | time | false | usage.csv
--> c3 | NULL | NULL | NULL | none | true | usage.csv
--> c4 | s1 | b | b1 | time | false | usage.csv
--> c5 | NULL | NULL | NULL | none | false | usage.csv
--> c6 | s1 | bc-1 | k1 | id | true | usage.csv
--> c7 | NULL | NULL | NULL | none | true | usage.csv
--> c8 | s1 | x | x1 | time | true | usage.csv
--> c9 | NULL | NULL | NULL | none | true | usage.csv
--> h1 | s1 | a | u1 | id | true | hooks.jsonl
--> p1 | s1 | a | u2 | id | true | page.json
--> p2 | s1 | a | u1 | id | false | page.json
--> p3 | s1 | a | NULL | id | true | page.json
--> p4 | NULL | nowhere | NULL | id | true | page.json
SELECT sum(output_tokens) FILTER (WHERE is_counted) FROM usage_events;
--> 403
