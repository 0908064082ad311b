SELECT mcp_server, mcp_tool, calls, conversations, outcome_known, failed, failure_rate, duration_known, p95_ms FROM mcp_usage;
--> linear | list_issues | 4 | 2 | 3 | 2 | 0.6667 | 3 | 300
--> jira | search | 1 | 1 | 1 | 0 | 0 | 0 | NULL
--> my-dash_tools | run | 1 | 1 | 1 | 0 | 0 | 0 | NULL
--> NULL | get_mcp_tools | 1 | 1 | 0 | 0 | NULL | 0 | NULL

SELECT mcp_tool, last_used_at, last_error FROM mcp_usage WHERE calls > 1;
--> list_issues | 2025-03-11 09:00:00 | late
