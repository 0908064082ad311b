-- How fast does Cursor's store grow, and how much of it is rewritten?
-- One row per day with a run (in the reader's TimeZone), over all sources that it read, the latest first. megabytes (of 1000 kB) is the size of their stores, new_megabytes what the raw layer took in.
-- Coverage: NULL where a store's size is not known, or the raw layer took nothing in.
CREATE OR REPLACE VIEW answers.storage_growth_short AS
SELECT day, TRY_CAST(sum(store_bytes) / 1e6 AS DECIMAL(18, 1)) AS megabytes, TRY_CAST(sum(grown_bytes) / 1e6 AS DECIMAL(18, 1)) AS grown_megabytes, TRY_CAST(sum(new_versions) AS BIGINT) AS new_versions, TRY_CAST(sum(new_bytes) / 1e6 AS DECIMAL(18, 1)) AS new_megabytes
FROM answers.storage_growth
GROUP BY day
ORDER BY day DESC;
COMMENT ON VIEW answers.storage_growth_short IS 'Size and growth of Cursor''s stores per day with a run.';
COMMENT ON COLUMN answers.storage_growth_short.day IS 'Day of the run.';
COMMENT ON COLUMN answers.storage_growth_short.megabytes IS 'Size of the stores after the day''s last run.';
COMMENT ON COLUMN answers.storage_growth_short.grown_megabytes IS 'What that is more than on the day before in the list.';
COMMENT ON COLUMN answers.storage_growth_short.new_versions IS 'Rows that were new or rewritten.';
COMMENT ON COLUMN answers.storage_growth_short.new_megabytes IS 'Size of these.';
