-- A message of an earlier conversation keeps a session open from start - gap up to start, both included.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at) VALUES
    ('a1', 'file:///a', 'a', 'composer', '2025-03-10 09:00:00+00'),
    ('a2', 'file:///a', 'a', 'composer', '2025-03-10 11:00:00+00'),
    ('b1', 'file:///b', 'b', 'composer', '2025-03-10 09:00:00+00'),
    ('b2', 'file:///b', 'b', 'composer', '2025-03-10 11:00:00+00'),
    ('c1', 'file:///c', 'c', 'composer', '2025-03-10 09:00:00+00'),
    ('c2', 'file:///c', 'c', 'composer', '2025-03-10 11:00:00+00'),
    ('d1', 'file:///d', 'd', 'composer', '2025-03-10 09:00:00+00'),
    ('d2', 'file:///d', 'd', 'composer', '2025-03-10 11:00:00+00'),
    -- a fork: its messages are older than itself, and older than e2; it comes after e2 in the order and speaks for nothing before it
    ('e1', 'file:///e', 'e', 'composer', '2025-03-10 09:00:00+00'),
    ('e2', 'file:///e', 'e', 'composer', '2025-03-10 11:00:00+00'),
    ('e3', 'file:///e', 'e', 'composer', '2025-03-10 15:00:00+00'),
    -- not the conversation before, an earlier one
    ('f1', 'file:///f', 'f', 'composer', '2025-03-10 09:00:00+00'),
    ('f2', 'file:///f', 'f', 'composer', '2025-03-10 12:00:00+00'),
    ('f3', 'file:///f', 'f', 'composer', '2025-03-10 15:00:00+00'),
    -- neither an inherited time nor a deleted message nor another project's says that something happened
    ('g1', 'file:///g', 'g', 'composer', '2025-03-10 09:00:00+00'),
    ('g2', 'file:///g', 'g', 'composer', '2025-03-10 11:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, created_at, created_at_source, deleted_at) VALUES
    ('a1', 'm', 0, '2025-03-10 10:30:00+00', 'message', NULL),       -- start - gap: included
    ('b1', 'm', 0, '2025-03-10 10:29:59.999+00', 'message', NULL),   -- one millisecond before
    ('c1', 'm', 0, '2025-03-10 11:00:00+00', 'header', NULL),        -- the start itself: included
    ('d1', 'm', 0, '2025-03-10 11:00:00.001+00', 'timing', NULL),    -- one millisecond after
    ('e2', 'm', 0, '2025-03-10 10:55:00+00', 'message', NULL),       -- its own
    ('e3', 'm', 0, '2025-03-10 10:50:00+00', 'message', NULL),       -- a later conversation's
    ('f1', 'm', 0, '2025-03-10 14:45:00+00', 'message', NULL),
    ('g1', 'm1', 0, '2025-03-10 10:50:00+00', 'previous', NULL),
    ('g1', 'm2', 1, '2025-03-10 10:51:00+00', 'conversation', NULL),
    ('g1', 'm3', NULL, '2025-03-10 10:52:00+00', 'message', '2025-06-01 00:00:00+00');
