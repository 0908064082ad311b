SELECT source_id, key, key_bytes::VARCHAR, hash, row_id FROM _known_rows ORDER BY ALL;
--> s1 | b | \x00 | h1 | 1
--> s1 | b | \x01 | h1 | 7
--> s1 | k | NULL | h1 | 1
--> s1 | k | NULL | h2 | 7
--> s1 | k | NULL | NULL | 1
--> s2 | k | NULL | h2 | 1
SELECT count(*) FROM duckdb_tables() WHERE table_name = '_moved';
--> 0
