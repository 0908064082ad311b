-- one failure of the three calls of the shell, of both formats, that say how they ended
FROM tool_failures_short;
--> ripgrep_raw_search | 3 | 3 | 100 | 3 | 0
--> run_terminal_command | 4 | 1 | 33.3 | 3 | 0
