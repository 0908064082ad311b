-- Of the file's three rows the first two are of part 4, the last one is of part 5.
COPY (SELECT 's1' AS source_id, 'global' AS store, 'T' AS "table", 'c1' AS conversation_id, key, 'text' AS key_type, NULL::BLOB AS key_bytes, 1 AS "rowid", 10 AS value_bytes, hash, value_type
  FROM (VALUES ('k1', 'a', 'text'), ('k2', NULL, 'gone'), ('k3', 'c', 'text')) v(key, hash, value_type)) TO '$DIR/f.parquet';
INSERT INTO _raw_parts VALUES ('s1/f.parquet', 4, 2, 0, 2), ('s1/f.parquet', 5, 3, 2, 1), ('s1/another.parquet', 6, 4, 0, 3);
