INSERT INTO quarantine (key, resolved_load_id) VALUES ('k1', 3), ('k2', NULL);
