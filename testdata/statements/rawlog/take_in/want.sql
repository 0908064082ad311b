EXECUTE answer(file := '$DIR/f.parquet', raw_file := 's1/f.parquet');
--> 3
SELECT table_name, key, row_id, value_bytes, hash, is_mark, seq, raw_file FROM _known_rows ORDER BY key;
--> T | k1 | 1 | 10 | a | false | 4 | s1/f.parquet
--> T | k2 | 1 | 10 | NULL | true | 4 | s1/f.parquet
--> T | k3 | 1 | 10 | c | false | 5 | s1/f.parquet
