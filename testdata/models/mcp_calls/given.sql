-- Servers of s1: acme and acme-docs (one begins the other), Linear and linear (only the case differs), gone-srv (which is named no more later), user-x from the settings. s2 knows none of them.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id) VALUES ('s1', 'c'), ('s2', 'c');
INSERT INTO _mcp_servers (conversation_id, server, is_gone) VALUES ('c', 'acme', false), ('c', 'acme-docs', false), ('d', 'acme', true), ('c', 'Linear', false), ('c', 'linear', false),
    ('c', 'gone-srv', false), ('', 'user-x', false);
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at_source) VALUES ('s1', 'c', 'm', 0, NULL), ('s2', 'c', 'm', 0, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, name, mcp_server, mcp_tool, mcp_server_source, deleted_at) VALUES
    ('s1', 'c', 'm', 0, 0, 'mcp', 'mcp', 'mcp-acme-docs-search', 'acme', 'docs-search', 'name', NULL),
    ('s1', 'c', 'm', 1, 0, 'mcp', 'mcp', 'mcp_acme_find', 'acme', 'find', 'name', NULL),
    ('s1', 'c', 'm', 2, 0, 'mcp', 'mcp', 'mcp_acme-docsx_find', 'acme', 'docsx_find', 'name', NULL),
    ('s1', 'c', 'm', 3, 0, 'mcp', 'mcp', 'mcp_acme-docs_', 'acme', 'docs_', 'name', NULL),
    ('s1', 'c', 'm', 4, 0, 'mcp', 'mcp', 'mcp_LINEAR_list', 'LINEAR', 'list', 'name', NULL),
    ('s1', 'c', 'm', 5, 0, 'mcp', 'mcp', 'mcp_Linear_list', 'Linear', 'list', 'name', NULL),
    ('s1', 'c', 'm', 6, 0, 'mcp', 'mcp', 'mcp_gone-srv_go', 'gone', 'srv_go', 'name', NULL),
    ('s1', 'c', 'm', 7, NULL, 'mcp', 'mcp', 'mcp_gone-srv_go', 'gone', 'srv_go', 'name', '2025-06-03 00:00:00+00'),
    ('s1', 'c', 'm', 8, 0, 'mcp', 'mcp', 'MCP_user-x_go', 'user', 'x_go', 'name', NULL),
    ('s1', 'c', 'm', 9, 0, 'mcp', 'mcp', 'mcp_acme-docs_x', 'acme-do', 'y', 'params', NULL),
    ('s2', 'c', 'm', 0, 0, 'mcp', 'mcp', 'mcp_acme-docs_x', 'acme', 'docs_x', 'name', NULL);
