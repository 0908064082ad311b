INSERT INTO sources (source_id, app) VALUES ('s1', 'Cursor'), ('s2', 'Cursor'), ('g', 'git');
INSERT INTO conversations (source_id, conversation_id, status, deleted_at) VALUES ('s1', 'c1', NULL, NULL), ('s2', 'c1', NULL, NULL), ('s1', 'orphan', 'orphaned', NULL), ('s1', 'deleted', NULL, '2025-06-02 00:00:00+00');
INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) VALUES ('s1', 'c1', 's1', true, 2), ('s2', 'c1', 's1', false, 2);
INSERT INTO messages (source_id, conversation_id, message_id, role, model, created_at, created_at_source, input_tokens, output_tokens, deleted_at) VALUES
  ('s1', 'c1', 'm1', 'user', NULL, '2025-06-01 00:00:00+00', 'header', NULL, NULL, NULL),
  ('s1', 'c1', 'm2', 'assistant', 'model', '2025-06-01 00:00:00+00', 'previous', NULL, 5, NULL),
  ('s1', 'c1', 'm3', 'assistant', NULL, NULL, NULL, NULL, NULL, NULL),
  ('s1', 'c1', 'deleted', 'assistant', 'model', '2025-06-01 00:00:00+00', 'header', 1, 1, '2025-06-02 00:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, role, model, created_at, created_at_source)
  SELECT source_id, conversation_id, 'not live', 'assistant', 'model', '2025-06-01 00:00:00+00'::TIMESTAMPTZ, 'header' FROM conversations WHERE (source_id, conversation_id) <> ('s1', 'c1');
