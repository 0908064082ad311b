-- Says what the loads of _removable_loads add up to: the largest of their numbers, and how many conversations they and those that went before them
-- added. The setting $setting of _meta has the latter number of those that went before.
SELECT
  max(load_id),
  coalesce(TRY_CAST(sum(conversations_new) + (
    SELECT coalesce(max(TRY_CAST(value AS BIGINT)), 0) FROM _meta WHERE key = $setting) AS BIGINT), 0)
FROM temp._removable_loads;
