-- A call a minute: what stands before the name of the program, exit codes, and what a rejection leaves.
-- Writing to a running command's input is no command, a read is none either.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (source_id, conversation_id, title, project, created_at) VALUES ('s1', 'c', 'One', 'tide', '2025-03-10 09:00:00+00');
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
    ('s1', 'c', 'm01', 1, 'run_terminal_command', 'shell', 'cd "My App" && CI=1 npm run build', NULL, true, 2),
    ('s1', 'c', 'm02', 2, 'run_terminal_command', 'shell', '# first this
sudo -u root -E /usr/bin/apt-get install x', NULL, true, NULL),
    ('s1', 'c', 'm03', 3, 'run_terminal_command', 'shell', './gradlew build | tee log', 'rejected', NULL, NULL),
    ('s1', 'c', 'm04', 4, 'run_terminal_command', 'shell', '(cd sub; env A="b c" python3.11 -m pytest)', 'accepted', true, 1),
    ('s1', 'c', 'm05', 5, 'run_terminal_command', 'shell', 'C:\Go\bin\go.exe test ./...', 'skip', NULL, 0),
    ('s1', 'c', 'm06', 6, 'run_terminal_command', 'shell', NULL, NULL, NULL, NULL),
    ('s1', 'c', 'm07', 7, 'run_terminal_command', 'shell', 'cd src', 'accepted', false, NULL),
    ('s1', 'c', 'm08', 8, 'run_terminal_command', 'shell', '"C:\Program Files\Git\git.EXE" status', 'rejected', NULL, 0),
    ('s1', 'c', 'm09', 9, 'run_terminal_command', 'shell', 'npm ci', NULL, NULL, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, command, is_error, deleted_at) VALUES
    ('s1', 'c', 'm00', 1, 0, 'write_shell_stdin', 'shell', 'y', false, NULL),
    ('s1', 'c', 'm00', 2, 0, 'read_file', 'read', NULL, false, NULL),
    ('s1', 'c', 'm00', 3, NULL, 'run_terminal_command', 'shell', 'rm -rf build', false, '2025-06-01 00:00:00+00');
