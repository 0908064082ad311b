-- Table: messages
INSERT INTO messages (source_id, conversation_id, message_id, created_at) VALUES
  ('s1', 'c1', 'moves', '2025-03-31 23:59:59+00'), ('s1', 'c1', 'new', '2025-06-01 00:00:00+00'), ('s1', 'c2', 'loses its time', NULL);
CREATE TEMP TABLE stage_messages AS FROM messages;
DELETE FROM messages;
INSERT INTO messages (source_id, conversation_id, message_id, created_at) VALUES
  ('s1', 'c1', 'moves', '2025-04-01 00:00:00+00'), ('s1', 'c2', 'loses its time', '2025-05-01 00:00:00+00'),
  ('s1', 'c1', 'is not staged', '2024-01-01 00:00:00+00'), ('s2', 'c1', 'moves', '2024-02-01 00:00:00+00');
SET VARIABLE load_id = 7;
