-- a is deleted: c is a copy of b now, and b of none. A chat older than d comes, which has d's message. Only these two are in _changed.
UPDATE conversations SET deleted_at = '2025-06-01 00:00:00+00' WHERE conversation_id = 'a';
UPDATE messages SET deleted_at = '2025-06-01 00:00:00+00', position = NULL WHERE conversation_id = 'a';
INSERT INTO conversations (conversation_id, created_at) VALUES ('older', '2025-03-01 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, text, created_at) VALUES ('older', 'bbbbbbbb-0000-4000-8000-000000000002', 0, 1, 'user', 'y', '2025-03-13 09:00:00+00');
INSERT INTO _changed VALUES ('s1', 'a'), ('s1', 'older');
