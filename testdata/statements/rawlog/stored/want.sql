SELECT source_id, key_type, "key", hash, seq, ident::VARCHAR FROM stored ORDER BY hash;
--> s1 | text | k1 | h1 | 1 | k1
--> s1 | text | k1 | h2 | 2 | k1
--> s1 | blob | \x00 | h3 | 2 | \x00
--> s1 | null |  | h4 | 3 | h4
SELECT count(*) FROM duckdb_columns() WHERE table_name = 'stored' AND column_name IN ('load_id', 'observed_at', 'path', 'filename');
--> 0
