-- Table: messages
INSERT INTO messages (conversation_id, message_id, position, text) VALUES ('c1', 'kept', 0, 'as it is now'), ('c2', 'back', 0, 'there again');
CREATE TEMP TABLE stage_messages AS FROM messages;
DELETE FROM messages;
INSERT INTO messages (source_id, conversation_id, message_id, position, text, deleted_at) VALUES
  ('s1', 'c1', 'kept', 0, 'as it was', NULL), ('s1', 'c1', 'gone', 1, 'gone now', NULL),
  ('s1', 'c1', 'gone before', NULL, 'gone before', '2025-06-02 00:00:00+00'),
  ('s1', 'c1', 'half gone', 3, 'it had kept its position', '2025-06-02 00:00:00+00'),
  ('s1', 'c2', 'back', NULL, 'gone before', '2025-06-02 00:00:00+00'),
  ('s1', 'c3', 'not read', 0, 'its conversation is not changed', NULL), ('s2', 'c1', 'gone', 0, 'of another source', NULL);
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c1'), ('s1', 'c2');
SET VARIABLE changed_conversations = ['c1', 'c2'];
SET VARIABLE load_started_at = TIMESTAMPTZ '2025-06-10 00:00:00+00';
