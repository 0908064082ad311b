-- Sums up _removable: how many versions may be removed, the bytes of their values, and when the first and the last of them were seen.
SELECT count(*), coalesce(TRY_CAST(sum(value_bytes) AS BIGINT), 0), min(started_at), max(started_at) FROM temp._removable;
