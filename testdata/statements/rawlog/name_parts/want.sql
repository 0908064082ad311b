FROM _raw_parts ORDER BY seq;
--> s1/00000001-1.parquet | 1 | 1 | 0 | 21
--> s1/00000002-12.parquet | 12 | 2 | 0 | 4
