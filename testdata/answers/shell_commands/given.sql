-- npm: three of four known outcomes are bad, one call was rejected, of one nothing is known. rm was always rejected. ls went well. One call without a
-- command. The same conversation id in another source.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, created_at) VALUES ('s1', 'c', '2025-03-10 09:00:00+00'), ('s2', 'c', '2025-03-10 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, created_at) VALUES
    ('s1', 'c', 'm00', 0, 'tool_call', '2025-03-10 09:00:00+00'),
    ('s1', 'c', 'm01', 1, 'tool_call', '2025-03-10 09:01:00+00'),
    ('s1', 'c', 'm02', 2, 'tool_call', '2025-03-10 09:02:00+00'),
    ('s1', 'c', 'm03', 3, 'tool_call', '2025-03-10 09:03:00+00'),
    ('s1', 'c', 'm04', 4, 'tool_call', '2025-03-10 09:04:00+00'),
    ('s1', 'c', 'm05', 5, 'tool_call', '2025-03-10 09:05:00+00'),
    ('s1', 'c', 'm06', 6, 'tool_call', '2025-03-10 09:06:00+00'),
    ('s1', 'c', 'm07', 7, 'tool_call', '2025-03-10 09:07:00+00'),
    ('s1', 'c', 'm08', 8, 'tool_call', '2025-03-10 09:08:00+00'),
    ('s1', 'c', 'm09', 9, 'tool_call', '2025-03-10 09:09:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool, tool_kind, command, user_decision, is_error, exit_code) VALUES
    ('s1', 'c', 'm00', 0, 'run_terminal_command', 'shell', 'npm test', NULL, false, 0),
    ('s1', 'c', 'm01', 1, 'run_terminal_command', 'shell', 'npm ci', NULL, true, 1),
    ('s1', 'c', 'm02', 2, 'run_terminal_command', 'shell', 'npm run x', NULL, true, 1),
    ('s1', 'c', 'm03', 3, 'run_terminal_command', 'shell', 'npm run y', NULL, true, 127),
    ('s1', 'c', 'm04', 4, 'run_terminal_command', 'shell', 'npm start', 'rejected', NULL, NULL),
    ('s1', 'c', 'm05', 5, 'run_terminal_command', 'shell', 'npm run z', 'accepted', NULL, NULL),
    ('s1', 'c', 'm06', 6, 'run_terminal_command', 'shell', 'rm -rf a', 'rejected', NULL, NULL),
    ('s1', 'c', 'm07', 7, 'run_terminal_command', 'shell', 'rm b', 'rejected', NULL, NULL),
    ('s1', 'c', 'm08', 8, 'run_terminal_command', 'shell', 'ls', 'accepted', false, NULL),
    ('s1', 'c', 'm09', 9, 'run_terminal_command', 'shell', NULL, NULL, NULL, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, created_at) VALUES
    ('s2', 'c', 'm00', 0, 'tool_call', '2025-03-10 09:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool, tool_kind, command, user_decision, is_error, exit_code) VALUES
    ('s2', 'c', 'm00', 0, 'run_terminal_command', 'shell', 'ls -l', NULL, false, NULL);
