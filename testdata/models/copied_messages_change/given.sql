-- Four chats with copies by the ids of their bubbles. Only some of them are in _changed, and others become copies, or stop to be some.
INSERT INTO conversations (conversation_id, created_at) VALUES ('a', '2025-03-10 09:00:00+00'), ('b', '2025-03-11 09:00:00+00'), ('c', '2025-03-12 09:00:00+00'), ('d', '2025-03-13 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, text, created_at) VALUES
    ('a', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'x', '2025-03-10 09:00:00+00'), ('b', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'x', '2025-03-10 09:00:00+00'),
    ('c', 'bbbbbbbb-0000-4000-8000-000000000001', 0, 1, 'user', 'x', '2025-03-10 09:00:00+00'), ('d', 'bbbbbbbb-0000-4000-8000-000000000002', 0, 1, 'user', 'y', '2025-03-13 09:00:00+00');
