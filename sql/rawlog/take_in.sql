-- Adds the rows of a file of the raw layer to _known_rows, without their values. $file is the file's path. _raw_parts lists the file's parts under the name
-- $raw_file; each row gets the number (seq) of its part.
INSERT INTO _known_rows BY NAME
SELECT
  r.source_id, r.store, r."table" AS table_name, r.conversation_id, r.key, r.key_type, r.key_bytes, r."rowid" AS row_id, r.value_bytes, r.hash,
  r.value_type = 'gone' AS is_mark, p.seq, p.raw_file
FROM read_parquet($file, hive_partitioning = false, file_row_number = true) r
JOIN _raw_parts p ON p.raw_file = $raw_file AND r.file_row_number >= p.first_row AND r.file_row_number < p.first_row + p.rows;
