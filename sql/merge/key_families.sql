-- Makes one row of several that have the same key: earlier versions counted a key that is named like a known family apart from the family. The counts are added, and
-- the rows are loaded if one of them was.
CREATE OR REPLACE TEMP TABLE _key_families AS
SELECT load_id, source_id, store, family, sum(rows)::BIGINT AS rows, sum(null_rows)::BIGINT AS null_rows, sum(bytes_read)::BIGINT AS bytes_read,
       coalesce(any_value(handling) FILTER (handling = 'loaded'), min(handling)) AS handling
FROM key_families
GROUP BY ALL
HAVING count(*) > 1;
DELETE FROM key_families AS f
USING temp._key_families k
WHERE k.load_id = f.load_id AND k.source_id = f.source_id AND k.store = f.store AND k.family = f.family;
INSERT INTO key_families BY NAME FROM temp._key_families;
DROP TABLE temp._key_families;
