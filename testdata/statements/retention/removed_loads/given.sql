CREATE TEMP TABLE _removable_loads (load_id BIGINT, started_at TIMESTAMPTZ, conversations_new BIGINT);

INSERT INTO _removable_loads VALUES (3, '2025-06-03 00:00:00+00', 4), (5, '2025-06-05 00:00:00+00', 1);
