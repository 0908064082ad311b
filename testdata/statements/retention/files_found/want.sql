SELECT raw_file FROM (SELECT 1), (FROM (SELECT DISTINCT raw_file FROM temp._removable)) ORDER BY 1;
--> s1/1.parquet
--> s1/2.parquet
