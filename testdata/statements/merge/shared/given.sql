CREATE TEMP TABLE _stores (source_id VARCHAR, store VARCHAR, workspace_id VARCHAR, complete BOOLEAN, changed BOOLEAN, folder BOOLEAN);
INSERT INTO _stores VALUES ('s1', 'global', '', true, true, false), ('s1', 'workspace/w', 'w', false, false, false);
INSERT INTO prompts (source_id, workspace_id, prompt_id, text) VALUES ('s1', '', 'kept', 'staged');
CREATE TEMP TABLE stage_prompts AS FROM prompts;
DELETE FROM prompts;
INSERT INTO prompts (source_id, workspace_id, prompt_id, text, deleted_at) VALUES
  ('s1', '', 'kept', 'there', NULL), ('s1', '', 'gone', 'gone', NULL), ('s1', '', 'gone before', 'gone before', '2025-06-02 00:00:00+00'),
  ('s1', 'w', 'unread', 'its store was not read whole', NULL), ('s2', '', 'other', 'of another source', NULL);
INSERT INTO _known_documents (source_id, store, ordinal, key) VALUES ('s1', 'global', 0, 'new');
CREATE TEMP TABLE stage__known_documents AS FROM _known_documents;
DELETE FROM _known_documents;
INSERT INTO _known_documents (source_id, store, ordinal, key) VALUES ('s1', 'global', 0, 'old'), ('s1', 'global', 1, 'gone'), ('s1', 'workspace/w', 0, 'kept');
SET VARIABLE load_started_at = TIMESTAMPTZ '2025-06-10 00:00:00+00';
