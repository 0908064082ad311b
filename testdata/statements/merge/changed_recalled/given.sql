-- Table: tool_calls
INSERT INTO messages (source_id, conversation_id, message_id, created_at) VALUES
  ('s1', 'c1', 'm1', '2025-03-01 00:00:00+00'), ('s1', 'c1', 'm2', '2025-04-01 00:00:00+00'), ('s1', 'c2', 'm1', '2025-05-01 00:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id) VALUES ('s1', 'c1', 'm1'), ('s1', 'c1', 'm1'), ('s1', 'c1', 'lost'), ('s1', 'c2', 'm1');
INSERT INTO _recalled VALUES ('tool_calls', 'c1'), ('messages', 'c2');
INSERT INTO _changes VALUES (7, 'messages', '2025-06', 's1', 'c3'), (7, 'tool_calls', '2025-03', 's1', 'c1'), (6, 'messages', '2025-01', 's1', 'c3');
SET VARIABLE load_id = 7;
