-- Table: attachments
INSERT INTO conversations (conversation_id, deleted_at) VALUES ('c1', NULL), ('c2', '2025-06-10 00:00:00+00'), ('c3', NULL);
INSERT INTO messages (conversation_id, message_id, deleted_at) VALUES
  ('c1', 'there', NULL), ('c1', 'deleted', '2025-06-10 00:00:00+00'), ('c2', 'deleted', '2025-06-10 00:00:00+00'), ('c3', 'there', NULL);
INSERT INTO attachments (conversation_id, message_id, path) VALUES
  ('c1', 'there', 'goes'), ('c1', 'deleted', 'its message is deleted'), ('c1', NULL, 'goes'), ('c1', 'never there', 'its message was never there'),
  ('c2', 'deleted', 'its message is deleted'), ('c2', NULL, 'its conversation is deleted'), ('c3', 'there', 'not changed'), ('c1', 'there', 'staged as it is');
CREATE TEMP TABLE stage_attachments AS FROM attachments WHERE path = 'staged as it is';
INSERT INTO stage_attachments (conversation_id, message_id, path, kind) VALUES ('c1', 'there', 'goes', 'file');
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c2');
