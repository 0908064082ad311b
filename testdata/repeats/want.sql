SELECT conversation_id, count(*), count(*) FILTER (WHERE is_repeat) FROM live_tool_calls GROUP BY ALL ORDER BY ALL;
--> f | 9 | 9
--> o | 9 | 0
SELECT conversation_id, count(*) FROM timeline WHERE is_repeat GROUP BY ALL;
--> f | 11
SELECT tool, calls, conversations, tool_calls, repeats FROM tool_usage;
--> edit_file | 5 | 1 | 5 | 5
--> mcp | 1 | 1 | 1 | 1
--> read_lints | 1 | 1 | 1 | 1
--> run_terminal_cmd | 1 | 1 | 1 | 1
--> todo_write | 1 | 1 | 1 | 1
SELECT tool, calls, percent, conversations, repeats FROM tool_usage_short LIMIT 2;
--> edit_file | 5 | 55.6 | 1 | 5
--> mcp | 1 | 11.1 | 1 | 1
SELECT tool, calls, outcome_known, failed, failure_rate, last_error, repeats FROM tool_failures LIMIT 2;
--> edit_file | 5 | 5 | 4 | 0.8 | no match | 5
--> run_terminal_cmd | 1 | 1 | 1 | 1 | no rule | 1
SELECT tool, failed, repeats FROM tool_failures_short LIMIT 2;
--> edit_file | 4 | 5
--> run_terminal_cmd | 1 | 1
SELECT tool, calls, duration_known, total_ms, slowest_conversation_id, repeats FROM slow_tools LIMIT 1;
--> edit_file | 5 | 5 | 500 | o | 5
SELECT tool, calls, known, repeats FROM slow_tools_short LIMIT 1;
--> edit_file | 5 | 5 | 5
SELECT conversation_id, command, is_failed, repeats FROM command_runs;
--> o | make | true | 1
SELECT command, repeats FROM command_runs_short;
--> make | 1
SELECT program, calls, failed, repeats FROM shell_commands;
--> make | 1 | 1 | 1
SELECT program, calls, failed FROM shell_commands_short;
--> make | 1 | 1
SELECT mcp_server, mcp_tool, calls, conversations, outcome_known, duration_known, repeats FROM mcp_usage;
--> linear | list_issues | 1 | 1 | 1 | 1 | 1
SELECT server, calls FROM mcp_usage_short;
--> linear | 1
SELECT conversation_id, file, is_accepted, lines_added, lines_removed, repeats FROM code_edit_outcomes;
--> o | a.go | true | 10 | 4 | 1
SELECT edits, accepted, lines_added, lines_removed, repeats FROM edit_acceptance;
--> 1 | 1 | 10 | 4 | 1
SELECT edits, repeats FROM edit_acceptance_short;
--> 1 | 1
SELECT conversation_id, proposed, accepted, first_accepted_ms, repeats FROM time_to_first_edit;
--> o | 1 | 1 | 120000 | 1
SELECT prompts, repeats FROM time_to_first_edit_short;
--> 1 | 1
-- a file that was edited once has no churn
SELECT count(*) FROM file_churn;
--> 0
SELECT sum(edit_calls), sum(call_lines_added), sum(call_lines_removed), sum(repeats) FROM session_lines;
--> 5 | 10 | 4 | 5
SELECT sum(edits), sum(added), sum(removed) FROM session_lines_short;
--> 5 | 10 | 4
SELECT conversation_id, file, rounds, errors, repeats FROM edit_loops;
--> o | b.go | 3 | 3 | 5
SELECT title, repeats FROM edit_loops_short;
--> Origin | 5
SELECT model, mode, turns, turns_with_thinking, thinking_ms, measured_turns, thinking_share, calls_with, outcome_known_with, repeats FROM thinking_time;
--> gpt-5 | agent | 1 | 1 | 3000 | 1 | 0.3 | 9 | 9 | 1
SELECT model, turns, thinking, known FROM thinking_time_short;
--> gpt-5 | 1 | 1 | 1
SELECT file, edits, failed, conversations, calls, project_calls, repeats FROM files_touched;
--> a.go | 1 | 0 | 1 | 1 | 5 | 5
--> b.go | 0 | 4 | 1 | 4 | 5 | 5
SELECT file, edits, failed FROM files_touched_short;
--> a.go | 1 | 0
--> b.go | 0 | 4
SELECT conversation_id, file, reports, edits, errors_before, errors_after, lint_calls, repeats FROM linter_errors;
--> o | a.go | 2 | 1 | 2 | 0 | 1 | 2
SELECT title, reports FROM linter_errors_short;
--> Origin | 2
SELECT conversation_id, items, completed, todo_write_calls, repeats FROM todo_progress;
--> o | 2 | 1 | 1 | 2
SELECT title, items FROM todo_progress_short;
--> Origin | 2
SELECT sum(calls), sum(failed), sum(duration_ms), sum(repeats) FROM report.tools;
--> 9 | 5 | 900 | 9
SELECT sum(edits), sum(lines_added) FROM report.edits;
--> 1 | 10
SELECT file, edits, conversations FROM report.files;
--> a.go | 1 | 1
