-- Counts the rows that the source $source_id had after the part $until, by store and family: how many hold nothing (NULL, or one byte 0), and the bytes of their
-- values. It reads raw.
SELECT store, family, count(*), count(*) FILTER (value_type = 'null' OR value = '\x00'::BLOB), coalesce(TRY_CAST(sum(value_bytes) AS BIGINT), 0)
FROM raw WHERE source_id = $source_id AND seq <= $until AND ends > $until AND family <> 'workspace.json' -- runs count the rows of tables
GROUP BY store, family
ORDER BY store, family;
