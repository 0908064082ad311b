-- one failure of the two calls that say how they ended
SELECT tool, tool_kind, format_version, calls, outcome_known, failed, failure_rate, last_error FROM tool_failures;
--> ripgrep_raw_search | search | 18 | 3 | 3 | 3 | 1 | bad pattern
--> run_terminal_command | shell | 16 | 3 | 2 | 1 | 0.5 | exit 1
--> run_terminal_command | shell | 18 | 1 | 1 | 0 | 0 | NULL
