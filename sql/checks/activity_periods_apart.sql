-- Two activity periods of the same source and project lie more than the gap apart, and none ends before it starts.
WITH gap AS (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) AS gap_ms FROM _meta WHERE key = 'session_gap_ms'
), ordered AS (
    SELECT period_id, started_at, ended_at,
           epoch_ms(started_at) - epoch_ms(lag(ended_at) OVER (PARTITION BY source_id, project_uri ORDER BY started_at)) AS pause_ms
    FROM activity_periods
)
SELECT 'activity_periods' AS table_name, period_id AS row_key,
       CASE WHEN ended_at < started_at THEN 'ends before it starts' ELSE 'not more than the gap after the one before it' END AS problem
FROM ordered
WHERE ended_at < started_at OR pause_ms <= (SELECT gap_ms FROM gap);
