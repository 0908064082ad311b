-- Prompt p1: a rejected edit after 10 s, accepted ones after 60 and 90 s, and one from before the prompt. p2 has an inherited time, p3 proposed nothing,
-- p4 only an undecided edit. The other source has the same ids, and waits 0 ms.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_path, model, created_at) VALUES
    ('s1', 'c', 'One', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-10 09:00:00+00'),
    ('s1', 'w', 'Windows', 'file:///c:/Work/Led', 'Led', 'c:\Work\Led', NULL, '2025-03-11 09:00:00+00'),
    ('s2', 'c', 'Other', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-12 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, text, created_at, created_at_source) VALUES
    ('s1', 'c', 'p1', 0, 1, 'user', 'Fix it', '2025-03-10 09:00:00+00', 'message'),
    ('s1', 'c', 'a1', 1, 1, 'assistant', NULL, '2025-03-10 09:00:10+00', 'message'),
    ('s1', 'c', 'p2', 2, 2, 'user', 'Again', '2025-03-10 09:00:10+00', 'previous'),
    ('s1', 'c', 'a2', 3, 2, 'assistant', NULL, '2025-03-10 09:05:00+00', 'message'),
    ('s1', 'c', 'p3', 4, 3, 'user', 'Thanks', '2025-03-10 09:06:00+00', 'message'),
    ('s1', 'c', 'p4', 5, 4, 'user', 'One more', '2025-03-10 09:07:00+00', 'header'),
    ('s1', 'c', 'a4', 6, 4, 'assistant', NULL, '2025-03-10 09:07:30+00', 'timing'),
    ('s2', 'c', 'p1', 0, 1, 'user', 'Fix it', '2025-03-12 09:00:00+00', 'message'),
    ('s2', 'c', 'a1', 1, 1, 'assistant', NULL, '2025-03-12 09:00:00+00', 'message');
INSERT INTO code_edits (source_id, edit_id, conversation_id, message_id, path, is_accepted, created_at) VALUES
    ('s1', 'e0', 'c', 'a1', 'a.go', false, NULL),
    ('s1', 'e1', 'c', 'a1', 'a.go', true, '2025-03-10 09:01:30+00'),
    ('s1', 'e2', 'c', 'a1', 'a.go', true, '2025-03-10 09:01:00+00'),
    ('s1', 'e3', 'c', 'a1', 'a.go', true, '2025-03-10 08:59:59+00'),
    ('s1', 'e4', 'c', 'a2', 'a.go', true, NULL),
    ('s1', 'e5', 'c', 'a4', 'a.go', NULL, NULL),
    ('s2', 'e0', 'c', 'a1', 'a.go', true, NULL);
