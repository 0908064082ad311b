-- Sums up _removable_loads: how many rows of loads may be removed, and when the first and the last of these loads began.
SELECT count(*), min(started_at), max(started_at) FROM temp._removable_loads;
