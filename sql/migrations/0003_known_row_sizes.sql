-- To schema version 3: _known_rows says how large each value is, as the files of the raw layer do (temporary table _raw_rows). What is said of files
-- that are gone or cannot be read is dropped: what the stores still hold of it counts as new when it is next read.
CREATE OR REPLACE TABLE _known_rows AS
SELECT k.*, r.value_bytes
FROM _known_rows k
JOIN (
    SELECT raw_file, key_type, hash, is_mark, max(value_bytes) AS value_bytes -- equal hashes mean equal values
    FROM _raw_rows
    GROUP BY ALL
) r ON r.raw_file = k.raw_file AND r.key_type = k.key_type AND r.hash IS NOT DISTINCT FROM k.hash AND r.is_mark = k.is_mark;
