-- six of eight calls, in two conversations; modes and models together
FROM tool_usage_short;
--> read_file | read | 6 | 75 | 2 | 0
--> (unnamed) | mcp | 1 | 12.5 | 1 | 0
--> grep | search | 1 | 12.5 | 1 | 0
