-- the prompts that a person typed, and how each ended
SELECT conversation_id, message_id, turn, text, mode, model, waited_ms, outcome, error FROM turns ORDER BY conversation_id, turn;
--> a | u1 | 1 | Build it | agent | m2 | 20000 | answered | NULL
--> a | u2 | 2 | Again | agent | m1 | NULL | failed | no network
--> a | u3 | 3 | Run it | agent | m1 | NULL | aborted | NULL
--> a | u4 | 4 | And now? | agent | NULL | NULL | unknown | NULL
--> a | u5 | 5 | Stop | agent | m3 | 2000 | aborted | NULL
--> fork | f2 | 2 | Otherwise | ask | m1 | NULL | unknown | NULL
--> lost | l1 | 1 | Edited | NULL | NULL | NULL | unknown | NULL
-- what was done: the file of a call that failed was not changed; of a call that edits and names no file nothing is known
SELECT message_id, tool_calls, failed_calls, files_changed, lines_added, lines_removed, commands FROM turns WHERE conversation_id = 'a' ORDER BY turn;
--> u1 | 5 | 2 | 2 | 11 | 2 | 1
--> u2 | 0 | 0 | 0 | NULL | NULL | 0
--> u3 | 2 | 0 | NULL | NULL | NULL | 1
--> u4 | 0 | 0 | 0 | NULL | NULL | 0
--> u5 | 0 | 0 | 0 | NULL | NULL | 0
-- what it cost: by events where there are any, else the tokens of its messages
SELECT message_id, input_tokens, cache_read_tokens, output_tokens, worth_cents, charged_cents FROM turns WHERE conversation_id = 'a' AND turn < 4 ORDER BY turn;
--> u1 | 150 | 40 | 10 | NULL | NULL
--> u2 | 116 | 100 | 7 | 4.5 | 0
--> u3 | NULL | NULL | NULL | NULL | NULL
-- project and title need no join
SELECT DISTINCT project, project_uri, title FROM turns ORDER BY ALL;
--> shop | file:///shop | Shop
--> NULL | NULL | Branch
--> NULL | NULL | Fork
