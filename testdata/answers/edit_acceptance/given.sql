-- Go by auto: two accepted, one rejected, one in part; Go by gpt-5: nothing decided. The other project without a model; an edit of unknown kind.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_path, model, created_at) VALUES
    ('s1', 'c', 'One', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-10 09:00:00+00'),
    ('s1', 'w', 'Windows', 'file:///c:/Work/Led', 'Led', 'c:\Work\Led', NULL, '2025-03-11 09:00:00+00'),
    ('s2', 'c', 'Other', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-12 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, model, created_at) VALUES
    ('s1', 'c', 'm0', 0, NULL, '2025-03-10 09:00:00+00'), ('s1', 'c', 'm1', 1, 'gpt-5', '2025-03-10 09:00:00+00'),
    ('s1', 'c', 'm2', 2, 'auto', '2025-03-10 09:00:00+00'), ('s1', 'w', 'm0', 0, NULL, '2025-03-10 09:00:00+00'), ('s2', 'c', 'm0', 0, NULL, '2025-03-10 09:00:00+00');
INSERT INTO code_edits (source_id, edit_id, conversation_id, message_id, path, is_accepted, lines_added, lines_removed) VALUES
    ('s1', 'e0', 'c', 'm0', 'a.go', true, 10, 0), ('s1', 'e1', 'c', 'm0', 'b.GO', false, NULL, NULL), ('s1', 'e2', 'c', 'm2', 'a.go', NULL, 5, 5),
    ('s2', 'e0', 'c', 'm0', 'c.go', true, 1, 1), ('s1', 'e3', 'c', 'm1', 'a.go', NULL, NULL, NULL),
    ('s1', 'e4', 'w', 'm0', 'a.cs', false, 0, 0), ('s1', 'e5', 'w', 'm0', NULL, NULL, 3, 3);
