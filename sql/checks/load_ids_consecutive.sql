-- Load numbers are consecutive, except in a rebuilt warehouse, which lacks the loads that found nothing new.
SELECT 'loads' AS table_name, CAST(load_id AS VARCHAR) AS row_key, 'the load before it is ' || CAST(previous AS VARCHAR) AS problem
FROM (SELECT load_id, mode, lag(load_id) OVER (ORDER BY load_id) AS previous FROM loads)
WHERE CAST(load_id AS HUGEINT) - previous <> 1 AND mode <> 'rebuild'
   OR load_id <= previous;
