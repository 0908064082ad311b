-- Which kinds of rows take the space in Cursor's store?
-- One row per key family, over all sources, most bytes first. megabytes (of 1000 kB) are the rows as the store has them now, kept_megabytes all versions that are kept.
-- Coverage: the sizes are those of the rows that the raw layer keeps, and known counts these; NULL where it keeps none of the family.
CREATE OR REPLACE VIEW answers.storage_by_family_short AS
SELECT family, TRY_CAST(sum(store_rows) AS BIGINT) AS rows, TRY_CAST(sum(kept_rows) AS BIGINT) AS known, TRY_CAST(sum(present_bytes) / 1e6 AS DECIMAL(18, 1)) AS megabytes, TRY_CAST(sum(kept_bytes) / 1e6 AS DECIMAL(18, 1)) AS kept_megabytes
FROM answers.storage_by_family
GROUP BY family
ORDER BY sum(present_bytes) DESC NULLS LAST, sum(store_rows) DESC NULLS LAST, family;
COMMENT ON VIEW answers.storage_by_family_short IS 'Space of each kind of row in Cursor''s store.';
COMMENT ON COLUMN answers.storage_by_family_short.family IS 'Family of keys.';
COMMENT ON COLUMN answers.storage_by_family_short.rows IS 'Rows of the family in the stores.';
COMMENT ON COLUMN answers.storage_by_family_short.known IS 'Rows that the raw layer keeps.';
COMMENT ON COLUMN answers.storage_by_family_short.megabytes IS 'Size of these rows now.';
COMMENT ON COLUMN answers.storage_by_family_short.kept_megabytes IS 'Size of all versions that the raw layer keeps.';
