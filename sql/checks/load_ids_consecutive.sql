-- Load numbers are consecutive, but for those of a rebuild: a load that found nothing new left nothing to make it anew from.
SELECT 'loads' AS table_name, CAST(load_id AS VARCHAR) AS row_key, 'the load before it is ' || CAST(previous AS VARCHAR) AS problem
FROM (SELECT load_id, mode, lag(load_id) OVER (ORDER BY load_id) AS previous FROM loads)
WHERE load_id - previous <> 1 AND mode <> 'rebuild' OR load_id <= previous;
