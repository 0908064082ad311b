EXECUTE answer(raw_file := 's1/1.parquet');
--> global | T | c | text | k | NULL | a | 1
