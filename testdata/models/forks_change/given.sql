-- Two chats that become forks or stop to be some when another one changes, which alone is in _changed.
INSERT INTO conversations (conversation_id, created_at) VALUES ('a', '2025-03-10 09:00:00+00'), ('b', '2025-03-11 09:00:00+00'), ('c', '2025-03-12 09:00:00+00'), ('d', '2025-03-13 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, request_id) VALUES
    ('a', 'm', 0, 1, 'user', 'r1'), ('b', 'm', 0, 1, 'user', 'r1'), ('c', 'm', 0, 1, 'user', 'r1'), ('d', 'm', 0, 1, 'user', 'r2');
UPDATE messages SET created_at_source = NULL;
