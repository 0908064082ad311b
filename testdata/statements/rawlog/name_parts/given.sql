INSERT INTO raw_files (path, load_id, rows) VALUES ('s1/00000001-1.parquet', 1, 21), ('s1/00000002-12.parquet', 2, 4), ('s1/00000000-13.parquet', 0, 9);
INSERT INTO _raw_parts VALUES ('s1/00000001-1.parquet', 1, 1, 0, 21);
