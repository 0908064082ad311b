-- Makes the view stored: all rows of the raw layer's files, each with the number of its part. Table files has the parts (path, seq, first_row, end_row),
-- variable raw_paths the paths. ident identifies a row of a store: its key, or its hash if it has no key.
CREATE VIEW stored AS
SELECT
  * EXCLUDE (filename, file_row_number, path, first_row, end_row, load_id, observed_at),
  CASE WHEN key_type = 'null' THEN encode(hash) ELSE coalesce(key_bytes, encode("key")) END AS ident
FROM read_parquet(getvariable('raw_paths'), filename = true, file_row_number = true, hive_partitioning = false)
JOIN files ON path = filename AND file_row_number >= first_row AND file_row_number < end_row;
