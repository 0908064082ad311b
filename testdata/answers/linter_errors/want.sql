-- main.go: 2 -> 3 in the first turn and 1 -> 2 in the second; in the third the prompt's 2 stand without anything after it
SELECT source_id, conversation_id, title, project, file, reports, first_errors, last_errors, most_errors, edits, edited_turns, compared, errors_before, errors_after,
    turns_worse, turns_better FROM linter_errors;
--> s1 | a | Clean up | tide | src/main.go | 4 | 2 | 2 | 3 | 4 | 3 | 2 | 3 | 5 | 2 | 0
--> s1 | a | Clean up | tide | NULL | 1 | 1 | 1 | 1 | 0 | 0 | 0 | NULL | NULL | 0 | 0
--> s1 | a | Clean up | tide | src/util.go | 1 | 0 | 0 | 0 | 1 | 1 | 0 | NULL | NULL | 0 | 0
-- five calls of read_lints, of which two list files and one says that there is nothing
SELECT DISTINCT lint_calls, lint_calls_read FROM linter_errors;
--> 5 | 3
