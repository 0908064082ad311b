-- Adds to _raw_parts the parts of files in raw_files that have none, as files of an earlier version of the tool. Each such file is one load's, and has
-- the part's number in its name. Files that pipeline prune combined (load_id 0) have their parts already.
INSERT INTO _raw_parts (raw_file, seq, load_id, first_row, rows)
SELECT path, TRY_CAST(regexp_extract(path, '-([0-9]+)[.]parquet$', 1) AS BIGINT), load_id, 0, rows FROM raw_files f
WHERE load_id > 0 AND NOT EXISTS (FROM _raw_parts p WHERE p.raw_file = f.path);
