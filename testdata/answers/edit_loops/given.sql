-- c: round 1 by the first edit's own failure, 2 by a command with an exit code, 3 by an error message (the rejected edit at 7 is none), 4 ends 20
-- messages after the edit before it; the next edit is 21 messages on. The same id in s2: three rounds by lint errors. d: three edits in a row
-- without an error between the last two. e: one of the edits is listed by no header. f: a deleted error.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_path, header_count, created_at) VALUES
    ('s1', 'c', 'One', 'file:///home/a/tide', 'tide', '/home/a/tide', 50, '2025-03-10 09:00:00+00'),
    ('s2', 'c', 'Other', NULL, NULL, NULL, 0, '2025-03-10 09:00:00+00'), ('s1', 'd', NULL, NULL, NULL, NULL, 9, '2025-03-10 09:00:00+00'),
    ('s1', 'e', NULL, NULL, NULL, NULL, 9, '2025-03-10 09:00:00+00'), ('s1', 'f', NULL, NULL, NULL, NULL, 9, '2025-03-10 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, is_listed, created_at, created_at_source) VALUES
    ('s1', 'c', 'm01', 1, 'tool_call', true, '2025-03-10 09:01:00+00', 'message'),
    ('s1', 'c', 'm02', 2, 'tool_call', true, '2025-03-10 09:02:00+00', 'previous'),
    ('s1', 'c', 'm03', 3, 'tool_call', true, '2025-03-10 09:03:00+00', 'message'),
    ('s1', 'c', 'm04', 4, 'tool_call', true, '2025-03-10 09:04:00+00', 'message'),
    ('s1', 'c', 'm06', 6, 'tool_call', true, '2025-03-10 09:06:00+00', 'message'),
    ('s1', 'c', 'm07', 7, 'tool_call', true, '2025-03-10 09:07:00+00', 'message'),
    ('s1', 'c', 'm08', 8, 'tool_call', true, '2025-03-10 09:08:00+00', 'message'),
    ('s1', 'c', 'm27', 27, 'tool_call', true, '2025-03-10 09:27:00+00', 'message'),
    ('s1', 'c', 'm28', 28, 'tool_call', true, '2025-03-10 09:28:00+00', 'message'),
    ('s1', 'c', 'm48', 48, 'tool_call', true, '2025-03-10 09:48:00+00', 'message'),
    ('s1', 'c', 'm49', 49, 'tool_call', true, '2025-03-10 09:49:00+00', 'message');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool_kind, file_path, user_decision, is_error, lines_added, lines_removed) VALUES
    ('s1', 'c', 'm01', 1, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'c', 'm02', 2, 'edit', 'a.go', NULL, false, 2, 1),
    ('s1', 'c', 'm03', 3, 'shell', NULL, NULL, true, NULL, NULL),
    ('s1', 'c', 'm04', 4, 'edit', '/home/a/tide/a.go', NULL, NULL, 2, 1),
    ('s1', 'c', 'm06', 6, 'edit', 'b.go', NULL, false, 2, 1),
    ('s1', 'c', 'm07', 7, 'edit', 'a.go', 'rejected', false, 2, 1),
    ('s1', 'c', 'm08', 8, 'edit', 'a.go', NULL, false, 2, 1),
    ('s1', 'c', 'm27', 27, 'read', 'a.go', NULL, true, NULL, NULL),
    ('s1', 'c', 'm28', 28, 'edit', 'a.go', 'accepted', false, 2, 1),
    ('s1', 'c', 'm48', 48, 'read', 'a.go', NULL, true, NULL, NULL),
    ('s1', 'c', 'm49', 49, 'edit', 'a.go', NULL, false, 2, 1);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, is_listed, created_at, created_at_source) VALUES
    ('s2', 'c', 'm0', 0, 'tool_call', false, '2025-03-10 09:00:00+00', 'previous'),
    ('s2', 'c', 'm2', 2, 'tool_call', false, '2025-03-10 09:02:00+00', 'message'),
    ('s2', 'c', 'm4', 4, 'tool_call', false, '2025-03-10 09:04:00+00', 'message'),
    ('s2', 'c', 'm6', 6, 'tool_call', false, '2025-03-10 09:06:00+00', 'message');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool_kind, file_path, user_decision, is_error, lines_added, lines_removed) VALUES
    ('s2', 'c', 'm0', 0, 'edit', 'a.go', NULL, false, 2, 1),
    ('s2', 'c', 'm2', 2, 'edit', 'a.go', NULL, false, 2, 1),
    ('s2', 'c', 'm4', 4, 'edit', 'a.go', NULL, false, 2, 1),
    ('s2', 'c', 'm6', 6, 'edit', 'a.go', NULL, false, 2, 1);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, is_listed, created_at, created_at_source) VALUES
    ('s1', 'd', 'm0', 0, 'tool_call', true, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'd', 'm1', 1, 'tool_call', true, '2025-03-10 09:01:00+00', 'message'),
    ('s1', 'd', 'm2', 2, 'tool_call', true, '2025-03-10 09:02:00+00', 'message'),
    ('s1', 'd', 'm3', 3, 'tool_call', true, '2025-03-10 09:03:00+00', 'message');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool_kind, file_path, user_decision, is_error, lines_added, lines_removed) VALUES
    ('s1', 'd', 'm0', 0, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'd', 'm1', 1, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'd', 'm2', 2, 'edit', 'a.go', NULL, false, 2, 1),
    ('s1', 'd', 'm3', 3, 'edit', 'a.go', NULL, false, 2, 1);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, is_listed, created_at, created_at_source) VALUES
    ('s1', 'e', 'm0', 0, 'tool_call', true, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'e', 'm1', 1, 'tool_call', true, '2025-03-10 09:01:00+00', 'message'),
    ('s1', 'e', 'm2', 2, 'tool_call', true, '2025-03-10 09:02:00+00', 'message'),
    ('s1', 'e', 'm3', 3, 'tool_call', false, '2025-03-10 09:03:00+00', 'message');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool_kind, file_path, user_decision, is_error, lines_added, lines_removed) VALUES
    ('s1', 'e', 'm0', 0, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'e', 'm1', 1, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'e', 'm2', 2, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'e', 'm3', 3, 'edit', 'a.go', NULL, true, 2, 1);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, is_listed, created_at, created_at_source) VALUES
    ('s1', 'f', 'm0', 0, 'tool_call', true, '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'f', 'm1', 1, 'tool_call', true, '2025-03-10 09:01:00+00', 'message'),
    ('s1', 'f', 'm2', 2, 'tool_call', true, '2025-03-10 09:02:00+00', 'message'),
    ('s1', 'f', 'm4', 4, 'tool_call', true, '2025-03-10 09:04:00+00', 'message');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool_kind, file_path, user_decision, is_error, lines_added, lines_removed) VALUES
    ('s1', 'f', 'm0', 0, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'f', 'm1', 1, 'edit', 'a.go', NULL, true, 2, 1),
    ('s1', 'f', 'm2', 2, 'edit', 'a.go', NULL, false, 2, 1),
    ('s1', 'f', 'm4', 4, 'edit', 'a.go', NULL, false, 2, 1);
INSERT INTO messages (source_id, conversation_id, message_id, position, kind, deleted_at) VALUES
    ('s1', 'c', 'm05', 5, 'error', NULL), ('s2', 'c', 'm1', 1, 'text', NULL), ('s1', 'f', 'm3', NULL, 'error', '2025-06-01 00:00:00+00');
UPDATE tool_calls SET tool = 'run_terminal_command', command = 'go test', exit_code = 1 WHERE tool_kind = 'shell';
INSERT INTO attachments (source_id, conversation_id, message_id, ordinal, kind) VALUES
    ('s2', 'c', 'm1', 0, 'lint'), ('s2', 'c', 'm1', 1, 'lint'), ('s2', 'c', 'm4', 0, 'lint'), ('s2', 'c', 'm6', 0, 'lint'), ('s2', 'c', 'm2', 0, 'file');
