SELECT count(*) FROM duckdb_tables() WHERE temporary;
--> 0
