INSERT INTO conversations (conversation_id, message_count, tool_call_count, status, deleted_at) VALUES
  ('c1', 3, 1, NULL, NULL), ('c2', 4, 0, 'completed', NULL), ('deleted', 50, 50, NULL, '2025-06-02 00:00:00+00'), ('orphan', 2, 5, 'orphaned', NULL),
  ('deleted orphan', 60, 60, 'orphaned', '2025-06-02 00:00:00+00');
INSERT INTO conversations (conversation_id, missing_message_count) VALUES ('empty', 0), ('a message is missing', 1);
INSERT INTO sessions (session_id) VALUES ('s');
-- another source has c2, a little of it; orphans of c1 and of the orphan; and the deleted one
INSERT INTO conversations (source_id, conversation_id, message_count, tool_call_count, status) VALUES ('s2', 'c2', 3, 0, 'completed'), ('s2', 'orphan', 1, 1, 'orphaned'), ('s2', 'c1', 1, 1, 'orphaned');
INSERT INTO conversations (source_id, conversation_id, message_count, deleted_at) VALUES ('s2', 'deleted', 50, '2025-06-02 00:00:00+00');
INSERT INTO conversation_copies (source_id, conversation_id, primary_source_id, is_primary, copies) SELECT source_id, conversation_id, 's1', source_id = 's1', 2 FROM conversations WHERE conversation_id NOT IN ('deleted orphan', 'empty', 'a message is missing');
