SELECT kind, turns, answered_rate, answers_per_turn, tool_calls, calls_per_turn, outcome_known, failed, failure_rate FROM attachments_effect;
--> file | 2 | 0.5 | 1 | 2 | 1 | 2 | 1 | 0.5
--> (none) | 1 | 1 | 1 | 2 | 2 | 1 | 0 | 0
--> rule | 1 | 1 | 2 | 2 | 2 | 2 | 1 | 0.5
--> doc | 0 | NULL | NULL | 0 | NULL | 0 | 0 | NULL
--> link | 0 | NULL | NULL | 0 | NULL | 0 | 0 | NULL
SELECT kind, edits, decided, accepted, acceptance_rate, placed, attachments FROM attachments_effect;
--> file | 1 | 1 | 1 | 1 | 3 | 3
--> (none) | 1 | 0 | 0 | NULL | 0 | 0
--> rule | 1 | 1 | 1 | 1 | 1 | 2
--> doc | 0 | 0 | 0 | NULL | 0 | 1
--> link | 0 | 0 | 0 | NULL | 0 | 1
