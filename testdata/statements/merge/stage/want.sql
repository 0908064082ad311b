-- It has the columns of the table, and no rows.
SELECT count(*) FROM temp.stage_messages;
--> 0
SELECT count(*) FROM (SELECT column_name, data_type, column_index FROM duckdb_columns() WHERE table_name = 'messages'
  EXCEPT SELECT column_name, data_type, column_index FROM duckdb_columns() WHERE table_name = 'stage_messages');
--> 0
