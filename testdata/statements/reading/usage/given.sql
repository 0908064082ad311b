INSERT INTO usage_events (event_id, is_counted, origin, join_method, file, load_id) VALUES ('a', true, 'csv', 'none', 'f', 1), ('b', false, 'csv', 'none', 'f', 1), ('c', true, 'api', 'id', 'f', 1),
    ('d', true, 'csv', 'time', 'f', 1), ('e', true, 'csv', 'none', 'f', 1);
