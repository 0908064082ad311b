-- Two models, one of them by Tab too, and pieces of an unknown one; one piece is forgotten, one conversation is not in the warehouse.
INSERT INTO sources (source_id, app) VALUES ('s1', 'Cursor'), ('tracking', 'ai-tracking');
INSERT INTO conversations (conversation_id, created_at) VALUES ('a', '2025-03-10 09:00:00+00');
INSERT INTO ai_code_hashes (code_hash, origin, file_name, conversation_id, model, written_at, deleted_at) VALUES
    ('1', 'composer', 'x.go', 'a', 'opus', '2025-03-10 09:00:00+00', NULL), ('2', 'composer', 'x.go', 'a', 'opus', '2025-03-10 09:10:00+00', NULL),
    ('3', 'composer', 'y.go', 'gone', 'opus', '2025-03-11 09:00:00+00', '2025-04-01 00:00:00+00'), ('4', 'tab', 'x.go', NULL, 'fusion', NULL, NULL),
    ('5', 'tab', 'z.go', NULL, 'opus', '2025-03-10 10:00:00+00', NULL), ('6', NULL, NULL, 'a', NULL, '2025-03-10 11:00:00+00', NULL);
