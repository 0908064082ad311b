-- Only ann's events are joined by time; what an event names is joined whoever asked. That the API tells of the turn makes t1, with other counts, a stranger.
SELECT event_id, join_method, message_id, cost_cents FROM usage_events ORDER BY event_id;
--> o1 | none | NULL | 20
--> o2 | none | NULL | 20
--> p1 | id | c1 | 1
--> p2 | id | c1 | 2
--> t1 | none | NULL | 10
--> t2 | none | NULL | 900
--> t3 | time | c3 | 10
--> t4 | none | NULL | 900
