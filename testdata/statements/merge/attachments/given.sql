-- Table: attachments
INSERT INTO conversations (conversation_id, deleted_at) VALUES ('c1', NULL), ('c2', '2025-06-10 00:00:00+00'), ('c3', NULL);
INSERT INTO messages (conversation_id, message_id, deleted_at) VALUES
  ('c1', 'there', NULL), ('c1', 'deleted', '2025-06-10 00:00:00+00'), ('c2', 'deleted', '2025-06-10 00:00:00+00'), ('c3', 'there', NULL);
INSERT INTO attachments (conversation_id, message_id, ordinal, path) VALUES
  ('c1', 'there', 0, 'goes'), ('c1', 'deleted', 0, 'its message is deleted'), ('c1', NULL, 0, 'goes'), ('c1', 'never there', 0, 'its message was never there'),
  ('c2', 'deleted', 0, 'its message is deleted'), ('c2', NULL, 0, 'its conversation is deleted'), ('c3', 'there', 0, 'not changed'),
  ('c1', 'there', 1, 'staged as it is'), ('c1', 'there', 2, 'staged otherwise'), ('c1', NULL, 1, 'staged, of the conversation');
CREATE TEMP TABLE stage_attachments AS FROM attachments WHERE path LIKE 'staged%';
UPDATE stage_attachments SET kind = 'file' WHERE path = 'staged otherwise';
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c2');
