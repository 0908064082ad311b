-- Project site, 10 March: 23:50 to 00:20, a message each 10 minutes; in source s2 the same project from 23:40 to 23:59:59. Project other: 23:45 to 23:55, and one lone message on the 12th.
-- Project third: 23:50 to 00:30, a message each 20 minutes. A message with an inherited time makes no period, nor does a deleted one; that of the chat without a project has no time.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, created_at) VALUES
    ('s1', 'a', 'file:///site', 'site', '2025-03-10 23:50:00+00'),
    ('s2', 'a', 'file:///site', 'site', '2025-03-10 23:40:00+00'),
    ('s1', 'o', 'file:///other', 'other', '2025-03-10 23:45:00+00'),
    ('s1', 't', 'file:///third', 'third', '2025-03-10 23:50:00+00'),
    ('s1', 'n', NULL, NULL, '2025-03-10 23:45:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 'user', '2025-03-10 23:50:00+00', 'message', NULL),
    ('s1', 'a', 'm1', 1, 'assistant', '2025-03-11 00:00:00+00', 'message', NULL),
    ('s1', 'a', 'm2', 2, 'assistant', '2025-03-11 00:10:00+00', 'message', NULL),
    ('s1', 'a', 'm3', 3, 'assistant', '2025-03-11 00:20:00+00', 'message', NULL),
    ('s1', 'a', 'm4', 4, 'assistant', '2025-03-11 15:00:00+00', 'previous', NULL),
    ('s1', 'a', 'x', NULL, 'user', '2025-03-11 00:40:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('s2', 'a', 'm0', 0, 'user', '2025-03-10 23:40:00+00', 'header', NULL),
    ('s2', 'a', 'm1', 1, 'assistant', '2025-03-10 23:59:59+00', 'header', NULL),
    ('s1', 'o', 'm0', 0, 'user', '2025-03-10 23:45:00+00', 'message', NULL),
    ('s1', 'o', 'm1', 1, 'assistant', '2025-03-10 23:55:00+00', 'message', NULL),
    ('s1', 'o', 'm2', 2, 'user', '2025-03-12 12:00:00+00', 'message', NULL),
    ('s1', 'o', 'm3', 3, 'assistant', '2025-03-13 09:00:00+00', 'conversation', NULL),
    ('s1', 't', 'm0', 0, 'user', '2025-03-10 23:50:00+00', 'message', NULL),
    ('s1', 't', 'm1', 1, 'assistant', '2025-03-11 00:10:00+00', 'message', NULL),
    ('s1', 't', 'm2', 2, 'assistant', '2025-03-11 00:30:00+00', 'message', NULL),
    ('s1', 'n', 'm0', 0, 'user', NULL, NULL, NULL);
