-- The staged ones: what this load, the ninth, cannot use.
INSERT INTO quarantine (source_id, store, key, value_hash, load_id, conversation_id) VALUES
  ('s1', 'global', 'new', 'h', 9, 'c1'), ('s1', 'global', 'still', 'h', 9, 'c1'), ('s1', 'global', 'back', 'h', 9, 'c1'), ('s1', 'global', 'rewritten', 'new', 9, 'c1'),
  ('s1', 'global', NULL, 'h', 9, NULL);
CREATE TEMP TABLE stage_quarantine AS FROM quarantine;
DELETE FROM quarantine;
INSERT INTO quarantine (source_id, store, key, value_hash, load_id, conversation_id, family, resolved_load_id) VALUES
  ('s1', 'global', 'still', 'h', 1, 'c1', 'f', NULL), ('s1', 'global', 'back', 'h', 1, 'c1', 'f', 2), ('s1', 'global', 'rewritten', 'old', 1, 'c1', 'f', NULL),
  ('s1', 'global', 'usable', 'h', 1, 'c1', 'f', NULL), ('s1', 'global', 'of another', 'h', 1, 'c2', 'f', NULL),
  ('s1', 'global', NULL, 'h', 1, NULL, 'f', NULL), ('s1', 'global', 'read whole', 'h', 1, NULL, 'f', NULL),
  ('s1', 'workspace/w', 'workspace.json', 'h', 1, NULL, 'workspace.json', NULL), ('s1', 'workspace/w', 'not looked at', 'h', 1, NULL, 'f', NULL),
  ('s2', 'global', 'of another source', 'h', 1, NULL, 'f', NULL);
INSERT INTO _changed VALUES ('s1', 'c1');
CREATE TEMP TABLE _stores (source_id VARCHAR, store VARCHAR, workspace_id VARCHAR, complete BOOLEAN, changed BOOLEAN, folder BOOLEAN);
INSERT INTO _stores VALUES ('s1', 'global', '', true, true, false), ('s1', 'workspace/w', 'w', false, false, true);
SET VARIABLE load_id = 9;
