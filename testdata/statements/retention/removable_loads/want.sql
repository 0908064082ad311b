-- The 2nd is the last good one, the 5th changed something last, the 6th and the 7th looked at a store last, and the last five stay whatever their age.
FROM temp._removable_loads ORDER BY ALL;
--> 1 | 2025-06-01 00:00:00 | 0
--> 3 | 2020-01-01 00:00:00 | 0
--> 4 | 2025-06-08 00:00:00 | 0
--> 8 | 2025-06-08 00:00:00 | 0
--> 9 | 2025-06-09 00:00:00 | 0
