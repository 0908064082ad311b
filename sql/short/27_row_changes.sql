-- How many rows of the store were new, rewritten or gone, run by run?
-- One row per run, over all sources and kinds of keys, the latest first. megabytes (of 1000 kB) are the versions that were written.
-- Coverage: rows whose family the raw layer keeps; day is NULL where loads do not have the run.
CREATE OR REPLACE VIEW answers.row_changes_short AS
SELECT load_id AS run, CAST(any_value(started_at) AS DATE) AS day, TRY_CAST(sum(new_rows) AS BIGINT) AS new_rows, TRY_CAST(sum(replaced) AS BIGINT) AS replaced, TRY_CAST(sum(gone) AS BIGINT) AS gone, TRY_CAST(sum(new_bytes) / 1e6 AS DECIMAL(18, 1)) AS megabytes
FROM answers.row_changes
GROUP BY load_id
ORDER BY load_id DESC;
COMMENT ON VIEW answers.row_changes_short IS 'Rows of the store that were new, rewritten or gone, per run.';
COMMENT ON COLUMN answers.row_changes_short.run IS 'Number of the run.';
COMMENT ON COLUMN answers.row_changes_short.day IS 'Day of the run.';
COMMENT ON COLUMN answers.row_changes_short.new_rows IS 'Rows that were new.';
COMMENT ON COLUMN answers.row_changes_short.replaced IS 'Rows that were rewritten.';
COMMENT ON COLUMN answers.row_changes_short.gone IS 'Rows that were gone.';
COMMENT ON COLUMN answers.row_changes_short.megabytes IS 'Size of the versions that were written.';
