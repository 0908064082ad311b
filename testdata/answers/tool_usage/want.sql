SELECT tool, tool_kind, mode, model, calls, conversations, share, tool_calls, mode_known, model_known FROM tool_usage;
--> read_file | read | agent | gpt-5 | 2 | 1 | 0.25 | 6 | 4 | 3
--> read_file | read | NULL | NULL | 2 | 1 | 0.25 | 6 | 4 | 3
--> (unnamed) | mcp | NULL | NULL | 1 | 1 | 0.125 | 1 | 0 | 0
--> grep | search | agent | gpt-5 | 1 | 1 | 0.125 | 1 | 1 | 1
--> read_file | read | agent | NULL | 1 | 1 | 0.125 | 6 | 4 | 3
--> read_file | read | chat | gpt-5 | 1 | 1 | 0.125 | 6 | 4 | 3
