-- Counts the events that Cursor has counted: all, those that sums have, and how their conversations are known; the time of the newest; and the turns of which only an estimate is known, and those of them that have a price;
-- the events of exports and pages that name nobody.
SELECT count(*), count(*) FILTER (WHERE is_counted), count(*) FILTER (WHERE join_method = 'id'), count(*) FILTER (WHERE join_method = 'time'), count(*) FILTER (WHERE join_method = 'none'),
       max(occurred_at), (SELECT count(*) FROM turn_estimates), (SELECT count(cost_cents) FROM turn_estimates),
       count(*) FILTER (WHERE person IS NULL AND origin IN ('api', 'csv'))
FROM usage_events;
