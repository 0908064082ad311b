-- Turn 1 (m0 to m4): the prompt brings 2 errors of main.go and one that names no file; main.go is edited twice; read_lints then says 3 of main.go and 0 of util.go.
-- Turn 2 (m5 to m7): main.go is edited (its path in full): before it read_lints says 1, after it the next prompt (m8) says 1 more: 2; a failed edit of it counts not.
-- Turn 3 (m8 to m9): an edit after which nobody reports: not compared. util.go is edited in turn 2 without a report after it. The edit of the abandoned branch counts not,
-- nor does a lint given with an answer, a result of another form, or what the same ids are in the other source.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project, project_path, created_at) VALUES
    ('s1', 'a', 'Clean up', 'tide', '/home/m/tide', '2025-03-10 09:00:00+00'), ('s2', 'a', 'Elsewhere', NULL, NULL, '2025-03-10 09:00:00+00');
ALTER TABLE messages ALTER created_at SET DEFAULT '2025-03-10 09:00:00+00'; -- times do not matter here
INSERT INTO messages (source_id, conversation_id, message_id, position, is_listed, role, kind) VALUES
    ('s1', 'a', 'm0', 0, true, 'user', 'text'), ('s1', 'a', 'm1', 1, true, 'assistant', 'tool_call'), ('s1', 'a', 'm2', 2, true, 'assistant', 'tool_call'),
    ('s1', 'a', 'm3', 3, true, 'assistant', 'tool_call'), ('s1', 'a', 'm4', 4, true, 'assistant', 'text'),
    ('s1', 'a', 'm5', 5, true, 'user', 'text'), ('s1', 'a', 'm6', 6, true, 'assistant', 'tool_call'), ('s1', 'a', 'm7', 7, true, 'assistant', 'tool_call'),
    ('s1', 'a', 'm8', 8, true, 'user', 'text'), ('s1', 'a', 'm9', 9, true, 'assistant', 'tool_call'), ('s1', 'a', 'm10', 10, false, 'assistant', 'tool_call'),
    ('s2', 'a', 'm0', 0, true, 'user', 'text'), ('s2', 'a', 'm1', 1, true, 'assistant', 'tool_call');
INSERT INTO attachments (source_id, conversation_id, message_id, ordinal, kind, path, detail) VALUES
    ('s1', 'a', 'm0', 0, 'lint', 'src/main.go', '{"relativeWorkspacePath":"src/main.go","errors":[{"message":"x"},{"message":"y"}]}'),
    ('s1', 'a', 'm0', 1, 'lint', NULL, '{"message":"missing semicolon"}'),
    ('s1', 'a', 'm0', 2, 'file', 'src/main.go', '{}'),
    ('s1', 'a', 'm4', 0, 'lint', 'src/main.go', '{"message":"given with an answer"}'),
    ('s1', 'a', 'm8', 0, 'lint', './src/main.go', '{"message":"x"}'), ('s1', 'a', 'm8', 1, 'lint', 'src\main.go', '{"message":"y"}');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, is_error, file_path, result) VALUES
    ('s1', 'a', 'm1', 0, 1, 'edit_file', 'edit', false, 'src/main.go', NULL), ('s1', 'a', 'm2', 0, 2, 'edit_file', 'edit', NULL, 'src/main.go', NULL),
    ('s1', 'a', 'm3', 0, 3, 'read_lints', 'read', false, NULL, '{"linterErrorsByFile":[{"relativeWorkspacePath":"src/main.go","errors":[{"message":"x"},{"message":"y"},{"message":"z"}]},{"relativeWorkspacePath":"src/util.go"}]}'),
    ('s1', 'a', 'm6', 0, 6, 'read_lints', 'read', false, NULL, '{"linterErrorsByFile":[{"relativeWorkspacePath":"/home/m/tide/src/main.go","errors":[{"message":"x"}]}]}'),
    ('s1', 'a', 'm6', 1, 6, 'read_lints', 'read', false, NULL, '{"contents":"no errors"}'), ('s1', 'a', 'm6', 2, 6, 'read_lints', 'read', false, NULL, '{}'),
    ('s1', 'a', 'm6', 3, 6, 'read_lints', 'read', NULL, NULL, NULL),
    ('s1', 'a', 'm7', 0, 7, 'edit_file', 'edit', false, '/home/m/tide/src/main.go', NULL), ('s1', 'a', 'm7', 1, 7, 'edit_file', 'edit', false, 'src/util.go', NULL),
    ('s1', 'a', 'm8', 0, 8, 'edit_file', 'edit', true, 'src/main.go', NULL),
    ('s1', 'a', 'm9', 0, 9, 'edit_file', 'edit', false, 'src/main.go', NULL), ('s1', 'a', 'm10', 0, 10, 'edit_file', 'edit', false, 'src/main.go', NULL),
    ('s2', 'a', 'm1', 0, 1, 'edit_file', 'edit', false, 'src/main.go', NULL);
