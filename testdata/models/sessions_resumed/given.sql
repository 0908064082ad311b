-- A chat that is resumed days later keeps no session open in between, and its late message only reaches what starts soon after it.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at) VALUES
    ('c1', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00'),
    ('c2', 'file:///p', 'p', 'composer', '2025-03-11 10:00:00+00'),
    ('c3', 'file:///p', 'p', 'composer', '2025-03-13 14:10:00+00');
INSERT INTO messages (conversation_id, message_id, role, position, created_at) VALUES
    ('c1', 'm1', 'user', 0, '2025-03-10 09:00:00+00'),
    ('c1', 'm2', 'assistant', 1, '2025-03-10 09:05:00+00'),
    ('c1', 'm3', 'user', 2, '2025-03-13 14:00:00+00'), -- three days later, ten minutes before c3 starts
    ('c2', 'm4', 'user', 0, '2025-03-11 10:01:00+00');
