-- Load numbers are consecutive, except for loads that retention removed, and in a rebuilt warehouse, which lacks the loads that found nothing new.
SELECT 'loads' AS table_name, CAST(load_id AS VARCHAR) AS row_key, 'the load before it is ' || CAST(previous AS VARCHAR) AS problem
FROM (SELECT load_id, mode, lag(load_id) OVER (ORDER BY load_id) AS previous FROM loads)
WHERE CAST(load_id AS HUGEINT) - previous <> 1 AND mode <> 'rebuild' AND CAST(load_id AS HUGEINT) - 1 > (SELECT coalesce(max(TRY_CAST(value AS BIGINT)), 0) FROM _meta WHERE key = 'loads_removed_until')
   OR load_id <= previous;
