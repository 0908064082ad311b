SELECT model, file_type, project, edits, decided, accepted, rejected, acceptance_rate, lines_known, lines_added, lines_removed, model_by_message FROM edit_acceptance;
--> auto | go | tide | 4 | 3 | 2 | 1 | 0.6667 | 3 | 16 | 6 | 1
--> NULL | cs | Led | 1 | 1 | 0 | 1 | 0 | 1 | 0 | 0 | 0
--> gpt-5 | go | tide | 1 | 0 | 0 | 0 | NULL | 0 | NULL | NULL | 1
--> NULL | NULL | Led | 1 | 0 | 0 | 0 | NULL | 1 | 3 | 3 | 0
