INSERT INTO conversations (conversation_id, message_count, tool_call_count, status, deleted_at) VALUES
  ('c1', 3, 1, NULL, NULL), ('c2', 4, 0, 'completed', NULL), ('deleted', 50, 50, NULL, '2025-06-02 00:00:00+00'), ('orphan', 2, 5, 'orphaned', NULL),
  ('deleted orphan', 60, 60, 'orphaned', '2025-06-02 00:00:00+00');
INSERT INTO sessions (session_id) VALUES ('s');
-- another source has c2, a little of it
INSERT INTO conversations (source_id, conversation_id, message_count, tool_call_count, status) VALUES ('s2', 'c2', 3, 0, 'completed');
INSERT INTO conversation_copies VALUES ('s1', 'c2', 's1', true, 2), ('s2', 'c2', 's1', false, 2);
