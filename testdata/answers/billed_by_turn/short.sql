-- the dearest first
FROM billed_by_turn_short;
--> shop | Again | failed | 0.2 | NULL | 3 | NULL | 4 | NULL
--> shop | Do it | done | 0.1 | NULL | 101 | NULL | 5 | NULL
--> shop | Delete it | rejected | 0.05 | NULL | 3 | NULL | 4 | NULL
--> shop | Look around | done | NULL | NULL | 3 | NULL | 4 | NULL
