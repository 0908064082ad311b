-- Sums up the loads in _removable_loads: the largest of their numbers, and how many new conversations they and the loads that were removed before had.
-- The setting $setting of _meta has that sum for the loads that were removed before.
SELECT
  max(load_id),
  coalesce(TRY_CAST(sum(conversations_new) + (
    SELECT coalesce(max(TRY_CAST(value AS BIGINT)), 0) FROM _meta WHERE key = $setting) AS BIGINT), 0)
FROM temp._removable_loads;
