CREATE TEMP TABLE _removable (store VARCHAR, table_name VARCHAR, conversation_id VARCHAR, key_type VARCHAR, key VARCHAR, key_bytes BLOB, hash VARCHAR, seq BIGINT, value_bytes BIGINT, raw_file VARCHAR, started_at TIMESTAMPTZ);

INSERT INTO _removable VALUES ('global', 'T', 'c', 'text', 'k', NULL, 'a', 1, 10, 's1/1.parquet', '2025-06-01 00:00:00+00'),
  ('global', 'T', 'c', 'blob', 'b', '\x00', 'b', 2, 20, 's1/2.parquet', '2025-06-02 00:00:00+00'), ('global', 'T', 'c', 'text', 'k', NULL, 'c', 2, 30, 's1/2.parquet', '2025-06-02 00:00:00+00');
