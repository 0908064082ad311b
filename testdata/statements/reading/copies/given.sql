INSERT INTO conversations (source_id, conversation_id, status, deleted_at) VALUES
  ('s1', 'two', NULL, NULL), ('s2', 'two', NULL, NULL),
  ('s1', 'also two', NULL, NULL), ('s2', 'also two', NULL, NULL), ('s3', 'also two', NULL, '2025-06-02 00:00:00+00'),
  ('s1', 'three', NULL, NULL), ('s2', 'three', NULL, NULL), ('s3', 'three', NULL, NULL),
  ('s1', 'deleted in one', NULL, NULL), ('s2', 'deleted in one', NULL, '2025-06-02 00:00:00+00'),
  ('s1', 'orphaned in one', NULL, NULL), ('s2', 'orphaned in one', 'orphaned', NULL),
  ('s1', 'gone', NULL, '2025-06-02 00:00:00+00'), ('s2', 'gone', NULL, '2025-06-02 00:00:00+00'),
  ('s1', 'empty in one', NULL, NULL), ('s2', 'empty in one', NULL, NULL), ('s1', 'empty in one of three', NULL, NULL), ('s2', 'empty in one of three', NULL, NULL),
  ('s3', 'empty in one of three', NULL, NULL), ('s1', 'alone', NULL, NULL), ('s1', 'empty', NULL, NULL), ('s2', 'empty', NULL, NULL);
UPDATE conversations SET missing_message_count = 0 WHERE conversation_id = 'empty' OR (source_id = 's2' AND conversation_id IN ('two', 'empty in one', 'empty in one of three'));
INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies)
SELECT source_id, conversation_id, 's1', source_id = 's1', count(*) OVER (PARTITION BY conversation_id) FROM conversations WHERE conversation_id <> 'alone';
INSERT INTO messages (source_id, conversation_id, message_id, deleted_at) VALUES
  ('s1', 'two', 'a', NULL), ('s1', 'two', 'b', '2025-06-02 00:00:00+00'), ('s2', 'two', 'a', NULL), ('s2', 'two', 'b', NULL), ('s2', 'two', 'c', '2025-06-02 00:00:00+00'),
  ('s1', 'three', 'a', NULL), ('s2', 'three', 'a', NULL), ('s2', 'three', 'x', NULL), ('s3', 'three', 'x', NULL), ('s3', 'three', 'y', NULL),
  ('s2', 'orphaned in one', 'a', NULL), ('s2', 'deleted in one', 'a', NULL), ('s1', 'alone', 'a', NULL);
