-- Counts the events that Cursor has counted: all, those that sums have, and how their conversations are known.
SELECT count(*), count(*) FILTER (WHERE is_counted), count(*) FILTER (WHERE join_method = 'id'), count(*) FILTER (WHERE join_method = 'time'), count(*) FILTER (WHERE join_method = 'none')
FROM usage_events;
