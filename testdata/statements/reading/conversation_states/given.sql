INSERT INTO conversations (conversation_id, status, title, header_count, deleted_at) VALUES
  ('a', 'completed', 'A', 2, NULL), ('b', NULL, NULL, 0, '2025-06-02 00:00:00+00'), ('c', 'orphaned', NULL, 0, NULL), ('d', 'orphaned', 'D', 0, '2025-06-02 00:00:00+00');
