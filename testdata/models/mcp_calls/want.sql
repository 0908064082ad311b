SELECT source_id, call_index, name, mcp_server, mcp_tool, mcp_server_source FROM tool_calls ORDER BY source_id, call_index;
--> s1 | 0 | mcp-acme-docs-search | acme-docs | search | known
--> s1 | 1 | mcp_acme_find | acme | find | known
--> s1 | 2 | mcp_acme-docsx_find | acme | docsx_find | known
--> s1 | 3 | mcp_acme-docs_ | acme | docs_ | known
--> s1 | 4 | mcp_LINEAR_list | linear | list | known
--> s1 | 5 | mcp_Linear_list | Linear | list | known
--> s1 | 6 | mcp_gone-srv_go | gone | srv_go | name
--> s1 | 7 | mcp_gone-srv_go | gone-srv | go | known
--> s1 | 8 | MCP_user-x_go | user-x | go | known
--> s1 | 9 | mcp_acme-docs_x | acme-do | y | params
--> s2 | 0 | mcp_acme-docs_x | acme | docs_x | name

-- The conversations whose calls were written.
SELECT DISTINCT conversation_id FROM _recalled;
--> c
