-- Counts the tables, columns, views, macros, indexes, types, sequences and comments that differ between the present database and the attached one,
-- $copy, or that only one of them has.
WITH catalog AS (
  SELECT database_name AS db, 'view' AS kind, schema_name, view_name AS name, sql, comment FROM duckdb_views() WHERE NOT internal
  UNION ALL SELECT database_name, 'table', schema_name, table_name, sql, comment FROM duckdb_tables() WHERE NOT internal
  UNION ALL SELECT database_name, 'column', schema_name, table_name || '.' || column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal
  UNION ALL SELECT database_name, 'macro', schema_name, function_name, macro_definition || parameters::VARCHAR, comment FROM duckdb_functions()
    WHERE NOT internal AND function_type LIKE '%macro'
  UNION ALL SELECT database_name, 'index', schema_name, index_name, sql, comment FROM duckdb_indexes()
  UNION ALL SELECT database_name, 'type', schema_name, type_name, logical_type, comment FROM duckdb_types() WHERE NOT internal
  UNION ALL SELECT database_name, 'sequence', schema_name, sequence_name, start_value || ' ' || increment_by, comment FROM duckdb_sequences()
),
own AS (SELECT * EXCLUDE db FROM catalog WHERE db = current_database()),
copied AS (SELECT * EXCLUDE db FROM catalog WHERE db = $copy)
SELECT (SELECT count(*) FROM (FROM own EXCEPT ALL FROM copied)) + (SELECT count(*) FROM (FROM copied EXCEPT ALL FROM own));
