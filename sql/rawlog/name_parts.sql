-- Adds the parts of files in raw_files that have none in _raw_parts, as an earlier version of the tool named them: each is of one load, and its number
-- is in its name. Files that housekeeping put together (load_id 0) have theirs.
INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows)
SELECT path, TRY_CAST(regexp_extract(path, '-([0-9]+)[.]parquet$', 1) AS BIGINT), load_id, 0, rows FROM raw_files f
WHERE load_id > 0 AND NOT EXISTS (FROM _raw_parts p WHERE p.raw_file = f.path);
