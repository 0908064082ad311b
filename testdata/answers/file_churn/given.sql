-- a.go: three edits in two sources, a fourth was rejected. b.go: two edits, one of no known time. n.go: two, of one the lines
-- are not known. c.go: one edit. The same path in two
-- conversations without a project is two files.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_path, model, created_at) VALUES
    ('s1', 'c', 'One', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-10 09:00:00+00'),
    ('s1', 'w', 'Windows', 'file:///c:/Work/Led', 'Led', 'c:\Work\Led', NULL, '2025-03-11 09:00:00+00'),
    ('s2', 'c', 'Other', 'file:///home/a/tide', 'tide', '/home/a/tide', 'auto', '2025-03-12 09:00:00+00');
INSERT INTO conversations (source_id, conversation_id, created_at) VALUES ('s1', 'x', '2025-03-13 09:00:00+00'), ('s1', 'y', '2025-03-13 09:00:00+00');
INSERT INTO code_edits (source_id, edit_id, conversation_id, path, is_accepted, lines_added, lines_removed, created_at) VALUES
    ('s1', 'e0', 'c', '/home/a/tide/a.go', true, 100, 50, '2025-03-10 23:30:00+00'),
    ('s2', 'e0', 'c', 'a.go', NULL, 20, 70, '2025-03-12 09:00:00+00'),
    ('s1', 'e1', 'c', 'a.go', true, 9, 10, '2025-03-11 00:30:00+00'),
    ('s1', 'e2', 'c', 'a.go', false, 1000, 1000, '2025-03-11 01:00:00+00'),
    ('s1', 'e3', 'c', 'b.go', true, 5, 5, '2025-03-11 02:00:00+00'),
    ('s1', 'e4', 'c', 'b.go', true, 1, 3, NULL),
    ('s1', 'e9', 'c', 'n.go', true, 5, 5, NULL), ('s1', 'ea', 'c', 'n.go', true, NULL, NULL, NULL),
    ('s1', 'e5', 'c', 'c.go', true, 5, 5, '2025-03-11 02:00:00+00'),
    ('s1', 'e6', 'x', 'd.go', true, 3, 0, NULL), ('s1', 'e7', 'x', 'd.go', true, 0, 2, NULL), ('s1', 'e8', 'y', 'd.go', true, 1, 1, NULL);
