-- Table: attachments
-- Attachments have a key that may be NULL: one given with the conversation has no message.
INSERT INTO attachments (conversation_id, message_id, ordinal, path) VALUES
  ('c1', 'm1', 0, 'new'), ('c1', NULL, 0, 'new of the conversation'), ('c2', 'm1', 1, 'added');
CREATE TEMP TABLE stage_attachments AS FROM attachments;
DELETE FROM attachments;
INSERT INTO attachments (source_id, conversation_id, message_id, ordinal, path) VALUES
  ('s1', 'c1', 'm1', 0, 'old'), ('s1', 'c1', NULL, 0, 'old of the conversation'), ('s1', 'c1', 'm1', 1, 'another place'),
  ('s2', 'c1', 'm1', 0, 'another source'), ('s1', 'c1', 'm2', 0, 'another message');
