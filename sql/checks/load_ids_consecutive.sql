-- Load numbers are consecutive.
SELECT 'loads' AS table_name, CAST(load_id AS VARCHAR) AS row_key, 'the load before it is ' || CAST(previous AS VARCHAR) AS problem
FROM (SELECT load_id, lag(load_id) OVER (ORDER BY load_id) AS previous FROM loads)
WHERE load_id - previous <> 1;
