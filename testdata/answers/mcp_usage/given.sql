-- A tool of a server in two sources, one whose server has '-' and '_' in its name, one of Cursor's own MCP tools.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, created_at) VALUES ('s1', 'c', '2025-03-10 09:00:00+00'), ('s2', 'c', '2025-03-10 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, created_at) VALUES
    ('s1', 'c', 'm9', 0, 'tool_call', '2025-03-10 09:00:10+00'), ('s1', 'c', 'm1', 1, 'tool_call', '2025-03-10 09:00:20+00'),
    ('s2', 'c', 'm0', 0, 'tool_call', '2025-03-11 09:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, name, mcp_server, mcp_tool, is_error, error, duration_ms) VALUES
    ('s1', 'c', 'm9', 0, 0, 'mcp', 'mcp', 'mcp-linear-list_issues', 'linear', 'list_issues', false, NULL, 100),
    ('s1', 'c', 'm9', 1, 0, 'mcp', 'mcp', 'mcp_linear_list_issues', 'linear', 'list_issues', true, 'early', 300),
    ('s1', 'c', 'm1', 0, 1, 'mcp', 'mcp', 'mcp-Linear-list_issues', 'linear', 'list_issues', true, 'late', NULL),
    ('s2', 'c', 'm0', 0, 0, 'mcp', 'mcp', 'mcp-linear-list_issues', 'linear', 'list_issues', NULL, NULL, 200),
    ('s1', 'c', 'm1', 1, 1, 'mcp', 'mcp', 'mcp-my-dash_tools-run', 'my-dash_tools', 'run', false, NULL, NULL),
    ('s1', 'c', 'm1', 2, 1, 'call_mcp_tool', 'mcp', 'call_mcp_tool', 'jira', 'search', false, NULL, NULL),
    ('s1', 'c', 'm1', 3, 1, 'get_mcp_tools', 'mcp', 'get_mcp_tools', NULL, NULL, NULL, NULL, NULL),
    ('s1', 'c', 'm1', 4, 1, 'read_file', 'read', 'read_file', NULL, NULL, true, 'x', NULL);
