SET VARIABLE changed_tables = ['loads', 'sessions'];
INSERT INTO loads (load_id, started_at) VALUES (1, '2024-01-01 00:00:00+00'), (2, '2024-06-01 00:00:00+00'), (3, '2025-06-01 00:00:00+00');
INSERT INTO _changes (load_id, table_name) VALUES (1, 'loads'), (2, 'loads'), (3, 'loads');
INSERT INTO _changes VALUES (4, 'messages', '2025-06', 's1', 'c1'), (4, 'messages', '2025-07', 's1', 'c1'), (4, 'tool_calls', '2025-07', 's1', 'c1'), (3, 'messages', '2025-05', 's1', 'c1');
SET VARIABLE load_id = 4;
