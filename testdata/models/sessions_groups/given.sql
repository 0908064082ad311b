-- A group is a source and a project URI; conversations without a project are one group per source. Names of projects may repeat.
INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_source, created_at) VALUES
    ('s1', 'n1', NULL, NULL, NULL, '2025-03-10 09:00:00+00'),
    ('s1', 'n2', NULL, NULL, NULL, '2025-03-10 09:10:00+00'),
    ('s2', 'n1', NULL, NULL, NULL, '2025-03-10 09:05:00+00'),
    ('s1', 'p1', 'file:///a/web', 'web', 'composer', '2025-03-10 09:10:00+00'),
    ('s1', 'p2', 'file:///b/web', 'web', 'composer', '2025-03-10 09:20:00+00'),
    ('s1', 'p4', 'file:///a/web', 'web', 'composer', '2025-03-10 09:45:00+00'),
    ('s1', 'p5', 'file:///b/web', 'web', 'composer', '2025-03-10 10:00:00+00'),
    ('s2', 'p3', 'file:///a/web', 'web', 'composer', '2025-03-10 09:30:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at) VALUES
    ('s1', 'n1', 'm', 0, '2025-03-10 09:00:00+00'),
    ('s2', 'n1', 'm', 0, '2025-03-10 09:05:00+00'),
    ('s1', 'n2', 'm', 0, '2025-03-10 09:10:00+00'),
    ('s1', 'p1', 'm', 0, '2025-03-10 09:10:00+00'),
    ('s1', 'p2', 'm', 0, '2025-03-10 09:20:00+00');
