-- a is deleted: c is a fork of b now, and b of none. A chat older than d comes, which has d's request.
UPDATE conversations SET deleted_at = '2025-06-01 00:00:00+00' WHERE conversation_id = 'a';
UPDATE messages SET deleted_at = '2025-06-01 00:00:00+00', position = NULL WHERE conversation_id = 'a';
INSERT INTO conversations (conversation_id, created_at) VALUES ('older', '2025-03-01 09:00:00+00');
INSERT INTO messages (conversation_id, message_id, position, turn, role, request_id, created_at_source) VALUES ('older', 'm', 0, 1, 'user', 'r2', NULL);
INSERT INTO _changed VALUES ('s1', 'a'), ('s1', 'older');
