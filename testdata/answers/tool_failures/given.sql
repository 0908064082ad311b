-- Three calls of the shell tool in format 16 (one failed, one without an outcome), one in format 18; a call of a deleted message counts nowhere.
-- Three calls of grep failed: the one whose message has no time is not the latest. Two errors of one time are told apart by their places (9, 10).
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (source_id, conversation_id, format_version, created_at) VALUES
    ('s1', 'old', '16', '2025-03-10 09:00:00+00'), ('s1', 'new', '18', '2025-03-11 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'old', 'm0', 0, 'assistant', 'tool_call', '2025-03-10 09:00:10+00', 'message', NULL),
    ('s1', 'old', 'm1', 1, 'assistant', 'tool_call', '2025-03-10 09:00:20+00', 'message', NULL),
    ('s1', 'old', 'm2', 2, 'assistant', 'tool_call', '2025-03-10 09:00:30+00', 'message', NULL),
    ('s1', 'old', 'gone', NULL, 'assistant', 'tool_call', '2025-03-10 09:00:40+00', 'message', '2025-06-01 00:00:00+00'),
    ('s1', 'new', 'm0', 0, 'assistant', 'tool_call', '2025-03-11 09:00:10+00', 'message', NULL),
    ('s1', 'new', 'm9', 9, 'assistant', 'tool_call', '2025-03-11 09:00:20+00', 'previous', NULL),
    ('s1', 'new', 'm10', 10, 'assistant', 'tool_call', '2025-03-11 09:00:20+00', 'previous', NULL),
    ('s1', 'new', 'm11', 11, 'assistant', 'tool_call', NULL, NULL, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool_number, tool, tool_kind, name, status, is_error, error, deleted_at) VALUES
    ('s1', 'old', 'm0', 0, 0, 15, 'run_terminal_command', 'shell', 'run_terminal_cmd', 'completed', false, NULL, NULL),
    ('s1', 'old', 'm1', 0, 1, 15, 'run_terminal_command', 'shell', 'run_terminal_cmd', 'error', true, 'exit 1', NULL),
    ('s1', 'old', 'm2', 0, 2, 15, 'run_terminal_command', 'shell', 'run_terminal_cmd', 'loading', NULL, NULL, NULL),
    ('s1', 'old', 'gone', 0, NULL, 15, 'run_terminal_command', 'shell', 'run_terminal_cmd', 'error', true, 'exit 2', '2025-06-01 00:00:00+00'),
    ('s1', 'new', 'm0', 0, 0, 15, 'run_terminal_command', 'shell', 'run_terminal_command_v2', 'completed', false, NULL, NULL),
    ('s1', 'new', 'm9', 0, 9, 41, 'ripgrep_raw_search', 'search', 'grep', 'error', true, 'no such folder', NULL),
    ('s1', 'new', 'm10', 0, 10, 41, 'ripgrep_raw_search', 'search', 'grep', 'error', true, 'bad pattern', NULL),
    ('s1', 'new', 'm11', 0, 11, 41, 'ripgrep_raw_search', 'search', 'grep', 'error', true, 'timeless', NULL);
