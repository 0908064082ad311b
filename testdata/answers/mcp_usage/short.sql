-- two failures of three known ends
FROM mcp_usage_short;
--> linear | 1 | 4 | 2 | 66.7 | 3
--> jira | 1 | 1 | 0 | 0 | 1
--> my-dash_tools | 1 | 1 | 0 | 0 | 1
--> NULL | 1 | 1 | 0 | NULL | 0
