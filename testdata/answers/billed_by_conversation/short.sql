-- the subagent has no row of its own
FROM billed_by_conversation_short;
--> Cart | shop | 0.33 | 0.24 | 410 | 16 | 3 | NULL
--> Post | blog | 0.05 | 0 | 100 | 6 | 1 | NULL
--> NULL | NULL | 0.01 | 0.01 | 1 | 1 | 1 | NULL
--> Chat | NULL | NULL | NULL | NULL | NULL | 0 | 0.07
