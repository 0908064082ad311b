CREATE TEMP TABLE _removable_loads (load_id BIGINT, started_at TIMESTAMPTZ, conversations_new BIGINT);
