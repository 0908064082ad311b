CREATE TEMP TABLE _removable_loads (load_id BIGINT, started_at TIMESTAMPTZ, conversations_new BIGINT);

INSERT INTO _removable_loads VALUES (1, '2025-06-01 00:00:00+00', 0);
INSERT INTO loads (load_id) VALUES (1), (2);
INSERT INTO load_stores (load_id) VALUES (1), (1), (2);
INSERT INTO key_families (load_id) VALUES (1), (2);
INSERT INTO load_elements (load_id) VALUES (1), (2);
