-- the subagent has no row of its own
FROM billed_by_conversation_short;
--> Cart | shop | 0.33 | 3 | 3 | NULL
--> Post | blog | 0.05 | 1 | 1 | NULL
--> NULL | NULL | 0.01 | 1 | 1 | NULL
--> Chat | NULL | NULL | 0 | 0 | 0.07
