-- The gap is kept in _meta: here one minute, for sessions and periods alike.
INSERT INTO _meta VALUES ('session_gap_ms', '60000');
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at) VALUES
    ('c1', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00'),
    ('c2', 'file:///p', 'p', 'composer', '2025-03-10 09:01:00+00'),
    ('c3', 'file:///p', 'p', 'composer', '2025-03-10 09:02:00.001+00');
INSERT INTO messages (conversation_id, message_id, position, created_at) VALUES
    ('c1', 'm1', 0, '2025-03-10 09:00:00+00'),
    ('c1', 'm2', 1, '2025-03-10 09:01:00+00'),
    ('c3', 'm3', 0, '2025-03-10 09:02:00.001+00');
