-- One chat, and a fork of it with the same request: whatever the answers count of what was done is done once. The turn has a thought of 3 seconds in 10, an edit of a.go (10 lines
-- added, 4 removed) that was accepted, a command that failed, a call of a server, four edits of b.go that failed, a prompt with 2 lints of a.go and a call that finds none, and
-- two todos, one of them completed.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id, title, project_uri, project, project_path, model, mode, created_at, header_count, tool_call_count) VALUES
    ('o', 'Origin', 'file:///p', 'p', '/p', 'gpt-5', 'agent', '2025-03-10 09:00:00+00', 11, 9), ('f', 'Fork', 'file:///p', 'p', '/p', 'gpt-5', 'agent', '2025-03-11 09:00:00+00', 11, 9);
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, request_id, thinking, thinking_duration_ms, turn_duration_ms, created_at)
SELECT c, c || n, n, 1, CASE n WHEN 0 THEN 'user' ELSE 'assistant' END, CASE n WHEN 0 THEN 'text' WHEN 1 THEN 'thinking' ELSE 'tool_call' END, CASE n WHEN 0 THEN 'r1' END,
       CASE n WHEN 1 THEN 'hm' END, CASE n WHEN 1 THEN 3000 END, CASE n WHEN 0 THEN 10000 END, TIMESTAMPTZ '2025-03-10 09:00:00+00' + n * INTERVAL 1 MINUTE
FROM unnest(['o', 'f']) t(c), range(11) r(n);
INSERT INTO tool_calls (conversation_id, message_id, position, tool_call_id, tool, tool_kind, mcp_server, mcp_tool, file_path, command, user_decision, is_error, exit_code, error, duration_ms, lines_added, lines_removed, params, result)
SELECT c, c || n, n, 'call ' || n, tool, kind, server, server_tool, path, command, decision, failed, code, error, 100, added, removed, params, result
FROM unnest(['o', 'f']) t(c), (VALUES
    (2, 'edit_file', 'edit', NULL, NULL, 'a.go', NULL, 'accepted', false, NULL, NULL, 10, 4, NULL, NULL),
    (3, 'run_terminal_cmd', 'shell', NULL, NULL, NULL, 'make', NULL, true, 2, 'no rule', NULL, NULL, NULL, NULL),
    (4, 'mcp', 'mcp', 'linear', 'list_issues', NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, NULL),
    (5, 'edit_file', 'edit', NULL, NULL, 'b.go', NULL, NULL, true, NULL, 'no match', NULL, NULL, NULL, NULL),
    (6, 'edit_file', 'edit', NULL, NULL, 'b.go', NULL, NULL, true, NULL, 'no match', NULL, NULL, NULL, NULL),
    (7, 'edit_file', 'edit', NULL, NULL, 'b.go', NULL, NULL, true, NULL, 'no match', NULL, NULL, NULL, NULL),
    (8, 'edit_file', 'edit', NULL, NULL, 'b.go', NULL, NULL, true, NULL, 'no match', NULL, NULL, NULL, NULL),
    (9, 'read_lints', 'lint', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, '{"linterErrorsByFile":[{"relativeWorkspacePath":"a.go","errors":[]}]}'),
    (10, 'todo_write', 'todo', NULL, NULL, NULL, NULL, NULL, false, NULL, NULL, NULL, NULL, NULL, '{"finalTodos":[{"id":"1","status":"completed"},{"id":"2","status":"pending"}]}')
) x(n, tool, kind, server, server_tool, path, command, decision, failed, code, error, added, removed, params, result);
INSERT INTO attachments (conversation_id, message_id, ordinal, kind, path, detail)
SELECT c, c || '0', 0, 'lint', 'a.go', '{"errors":[{"message":"x"},{"message":"y"}]}' FROM unnest(['o', 'f']) t(c);
INSERT INTO code_edits (conversation_id, message_id, edit_id, path, is_accepted, lines_added, lines_removed)
SELECT c, c || '2', 'e', 'a.go', true, 10, 4 FROM unnest(['o', 'f']) t(c);
