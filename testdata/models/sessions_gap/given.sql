-- A pause of exactly 30 minutes is within the gap; one millisecond more is not.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at) VALUES
    ('c1', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00'),
    ('c2', 'file:///p', 'p', 'composer', '2025-03-10 09:30:00+00'),
    ('c3', 'file:///p', 'p', 'composer', '2025-03-10 10:00:00.001+00'),
    -- the same instant: the order is by id, and they are one session
    ('c5', 'file:///p', 'p', 'composer', '2025-03-10 12:00:00+00'),
    ('c4', 'file:///p', 'p', 'composer', '2025-03-10 12:00:00+00');
