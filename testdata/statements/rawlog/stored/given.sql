-- The second file holds two parts: rows 0 and 1 are of part 2, row 2 is of part 3; a fourth row is of no part.
COPY (SELECT 's1' AS source_id, 'text' AS key_type, 'k1' AS "key", NULL::BLOB AS key_bytes, 'h1' AS hash, 1 AS load_id, 0 AS observed_at) TO '$DIR/1.parquet';
COPY (FROM (VALUES ('s1', 'text', 'k1', NULL::BLOB, 'h2', 2, 0), ('s1', 'blob', '\x00', '\x00'::BLOB, 'h3', 2, 0), ('s1', 'null', '', NULL, 'h4', 3, 0), ('s1', 'text', 'k5', NULL, 'h5', 4, 0))
  v(source_id, key_type, "key", key_bytes, hash, load_id, observed_at)) TO '$DIR/2.parquet';
CREATE TEMP TABLE files (path VARCHAR, seq BIGINT, first_row BIGINT, end_row BIGINT);
INSERT INTO files VALUES ('$DIR/1.parquet', 1, 0, 1), ('$DIR/2.parquet', 2, 0, 2), ('$DIR/2.parquet', 3, 2, 3);
SET VARIABLE raw_paths = ['$DIR/1.parquet', '$DIR/2.parquet'];
