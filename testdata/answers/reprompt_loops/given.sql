-- c: three times nearly the same, then two of another kind; the same id in s2: exactly 0.6 twice. d: 0.5. e: a deleted prompt is no third, f: one
-- that no header names neither, g: there nothing is listed. h: equal in the first 500 characters. i: no words at all, equal. j: an answer with the
-- same words is no prompt.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project, header_count, created_at) VALUES
    ('s1', 'c', 'One', 'tide', 9, '2025-03-10 09:00:00+00'), ('s2', 'c', 'Other', 'site', 9, '2025-03-11 09:00:00+00'), ('s1', 'd', NULL, NULL, 9, NULL),
    ('s1', 'e', NULL, NULL, 9, NULL), ('s1', 'f', NULL, NULL, 9, NULL), ('s1', 'g', NULL, NULL, 0, NULL), ('s1', 'h', NULL, NULL, 9, NULL),
    ('s1', 'i', NULL, NULL, 9, NULL), ('s1', 'j', NULL, NULL, 9, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind, text, created_at, created_at_source) VALUES
    ('s1', 'c', 'p0', 0, 'user', 'text', 'Fix the build of the parser', '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'c', 'a1', 1, 'assistant', 'tool_call', NULL, '2025-03-10 09:01:00+00', 'message'),
    ('s1', 'c', 'p2', 2, 'user', 'text', '(fix THE parser,'||chr(10)||'of the BUILD)', '2025-03-10 09:01:00+00', 'previous'),
    ('s1', 'c', 'a3', 3, 'assistant', 'tool_call', NULL, '2025-03-10 09:02:00+00', 'message'),
    ('s1', 'c', 'p4', 4, 'user', 'text', 'Please fix the build of the parser now!', '2025-03-10 09:10:00+00', 'header'),
    ('s1', 'c', 'a5', 5, 'assistant', 'tool_call', NULL, '2025-03-10 09:11:00+00', 'message'),
    ('s1', 'c', 'p6', 6, 'user', 'text', 'Now the docs', '2025-03-10 09:12:00+00', 'message'),
    ('s1', 'c', 'p7', 7, 'user', 'text', 'now the docs!', '2025-03-10 09:13:00+00', 'message'),
    ('s2', 'c', 'p0', 0, 'user', 'text', 'alpha beta gamma', NULL, NULL),
    ('s2', 'c', 'p1', 1, 'user', 'text', 'alpha beta gamma delta eps', NULL, NULL),
    ('s2', 'c', 'p2', 2, 'user', 'text', 'gamma beta alpha', '2025-03-11 09:00:00+00', 'message'),
    ('s1', 'd', 'p0', 0, 'user', 'text', 'alpha beta gamma', NULL, NULL),
    ('s1', 'd', 'p1', 1, 'user', 'text', 'alpha beta delta', NULL, NULL),
    ('s1', 'd', 'p2', 2, 'user', 'text', 'alpha beta delta', NULL, NULL),
    ('s1', 'g', 'p0', 0, 'user', 'text', 'weiter', NULL, NULL), ('s1', 'g', 'p1', 1, 'user', 'text', 'weiter', NULL, NULL),
    ('s1', 'g', 'p2', 2, 'user', 'text', 'weiter', NULL, NULL), ('s1', 'g', 'p3', 3, 'user', 'text', 'weiter', NULL, NULL),
    ('s1', 'h', 'p0', 0, 'user', 'text', repeat('word ', 100)||'one', NULL, NULL), ('s1', 'h', 'p1', 1, 'user', 'text', repeat('word ', 100)||'two three', NULL, NULL),
    ('s1', 'h', 'p2', 2, 'user', 'text', repeat('word ', 100)||'four five six', NULL, NULL),
    ('s1', 'i', 'p0', 0, 'user', 'text', '???', NULL, NULL), ('s1', 'i', 'p1', 1, 'user', 'text', '???', NULL, NULL), ('s1', 'i', 'p2', 2, 'user', 'text', '???', NULL, NULL),
    ('s1', 'j', 'p0', 0, 'user', 'text', 'go on', NULL, NULL), ('s1', 'j', 'a1', 1, 'assistant', 'text', 'go on', NULL, NULL), ('s1', 'j', 'p2', 2, 'user', 'text', 'go on', NULL, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, is_listed, role, kind, text, deleted_at) VALUES
    ('s1', 'e', 'p0', 0, true, 'user', 'text', 'go on', NULL), ('s1', 'e', 'p1', 1, true, 'user', 'text', 'go on', NULL),
    ('s1', 'e', 'p2', NULL, true, 'user', 'text', 'go on', '2025-06-01 00:00:00+00'),
    ('s1', 'f', 'p0', 0, true, 'user', 'text', 'go on', NULL), ('s1', 'f', 'p1', 1, true, 'user', 'text', 'go on', NULL),
    ('s1', 'f', 'p2', 2, false, 'user', 'text', 'go on', NULL);
UPDATE messages SET is_listed = false WHERE conversation_id = 'g';
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool, tool_kind, is_error) VALUES
    ('s1', 'c', 'a1', 1, 'edit_file', 'edit', true), ('s1', 'c', 'a3', 3, 'edit_file', 'edit', NULL), ('s1', 'c', 'a5', 5, 'edit_file', 'edit', true);
