-- Table: checkpoints
INSERT INTO checkpoints (source_id, conversation_id, checkpoint_id, file_count, files, deleted_at) VALUES
  ('s1', 'c1', 'as it was', 1, '[1]', NULL), ('s1', 'c1', 'other files', 1, '[2]', NULL), ('s1', 'c1', 'no files', NULL, NULL, NULL),
  ('s1', 'c1', 'back', 1, '[1]', NULL), ('s1', 'c1', 'new', 1, '[1]', NULL), ('s1', 'c3', 'not changed', 1, '[1]', NULL);
CREATE TEMP TABLE stage_checkpoints AS FROM checkpoints;
DELETE FROM checkpoints WHERE checkpoint_id = 'new';
UPDATE checkpoints SET files = '[1]' WHERE checkpoint_id = 'other files';
UPDATE checkpoints SET deleted_at = '2025-06-02 00:00:00+00' WHERE checkpoint_id = 'back';
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c1');
SET VARIABLE changed_conversations = ['c1'];
