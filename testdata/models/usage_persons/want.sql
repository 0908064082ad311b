-- Nobody has said who uses the warehouse: what names the conversation is joined, and nothing by time.
SELECT event_id, join_method, message_id, cost_cents FROM usage_events ORDER BY event_id;
--> o1 | none | NULL | 20
--> o2 | none | NULL | 20
--> p1 | id | c1 | 1
--> p2 | id | c1 | 2
--> t1 | none | NULL | 10
--> t2 | none | NULL | 900
--> t3 | none | NULL | 10
--> t4 | none | NULL | 900
