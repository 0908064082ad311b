INSERT INTO conversations (conversation_id, message_count, tool_call_count, status, deleted_at) VALUES
  ('c1', 3, 1, NULL, NULL), ('c2', 4, 0, 'completed', NULL), ('deleted', 50, 50, NULL, '2025-06-02 00:00:00+00'), ('orphan', 2, 5, 'orphaned', NULL),
  ('deleted orphan', 60, 60, 'orphaned', '2025-06-02 00:00:00+00');
INSERT INTO sessions (session_id) VALUES ('s');
