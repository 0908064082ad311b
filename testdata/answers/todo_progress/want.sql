-- a: item 1 is completed, item 2 pending again, "no id" in progress, item 3 has no state; of the three calls that did not fail two hold todos
SELECT source_id, conversation_id, title, project, items, state_known, completed, cancelled, in_progress, pending, open, completion_rate, todo_write_calls, calls_read
    FROM todo_progress;
--> s1 | a | Plan | tide | 4 | 3 | 1 | 0 | 1 | 1 | 2 | 0.3333 | 3 | 2
--> s2 | c | Numbers | NULL | 4 | 4 | 2 | 1 | 0 | 1 | 1 | 0.6667 | 3 | 3
--> s1 | b | Own list | tide | 3 | 3 | 1 | 1 | 0 | 1 | 1 | 0.5 | 0 | 0
--> s2 | a | Elsewhere | NULL | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 1 | 0 | 0
