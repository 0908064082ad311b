-- The staged ones. An orphan is one whose own row the store does not have.
INSERT INTO conversations (conversation_id, title, status, first_seen_at) VALUES
  ('new', 'New', NULL, '2025-06-09 00:00:00+00'), ('same', 'As it is now', 'completed', '2025-06-09 00:00:00+00'),
  ('back', 'It is there again', NULL, '2025-06-09 00:00:00+00'), ('new orphan', NULL, 'orphaned', '2025-06-09 00:00:00+00'),
  ('orphan before', NULL, 'orphaned', '2025-06-09 00:00:00+00'), ('head lost', NULL, 'orphaned', '2025-06-09 00:00:00+00'),
  ('deleted, then head lost', NULL, 'orphaned', '2025-06-09 00:00:00+00'), ('deleted orphan', NULL, 'orphaned', '2025-06-09 00:00:00+00'),
  ('deleted orphan of a list', 'Listed', 'orphaned', '2025-06-09 00:00:00+00');
CREATE TEMP TABLE stage_conversations AS FROM conversations;
DELETE FROM conversations;
-- Those that are there.
INSERT INTO conversations (conversation_id, title, status, project_uri, deleted_at) VALUES
  ('same', 'As it was', 'completed', 'file:///a', NULL), ('back', 'Before', NULL, 'file:///a', '2025-06-02 00:00:00+00'),
  ('orphan before', NULL, 'orphaned', NULL, NULL), ('head lost', 'It had a head', 'completed', 'file:///b', NULL),
  ('deleted, then head lost', 'It had one, too', 'orphaned', 'file:///b', '2025-06-02 00:00:00+00'), ('deleted orphan', NULL, 'orphaned', NULL, '2025-06-02 00:00:00+00'),
  ('deleted orphan of a list', 'Listed', 'orphaned', NULL, '2025-06-02 00:00:00+00'),
  ('gone', 'Gone now', NULL, 'file:///c', NULL), ('gone before', 'Gone before', NULL, NULL, '2025-06-02 00:00:00+00'), ('untouched', 'Not read', NULL, 'file:///d', NULL);
-- One is named twice, as it is read out of two stores.
INSERT INTO _changed SELECT source_id, conversation_id FROM conversations WHERE conversation_id <> 'untouched' UNION ALL VALUES ('s1', 'new'), ('s1', 'new orphan'), ('s1', 'same');
SET VARIABLE load_started_at = TIMESTAMPTZ '2025-06-10 00:00:00+00';
