SELECT source_id, measure, known, total, of_what FROM report.coverage WHERE measure IN ('message_model', 'tool_outcome', 'edit_decision') ORDER BY ALL;
--> s1 | edit_decision | 0 | 1 | code edits
--> s1 | message_model | 4 | 8 | assistant messages
--> s1 | tool_outcome | 4 | 6 | tool calls; is_error is not NULL
--> s2 | edit_decision | 0 | 0 | code edits
--> s2 | message_model | 2 | 3 | assistant messages
--> s2 | tool_outcome | 3 | 3 | tool calls; is_error is not NULL
