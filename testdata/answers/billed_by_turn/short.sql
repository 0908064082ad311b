-- the dearest first
FROM billed_by_turn_short;
--> shop | Again | failed | 0.2 | NULL
--> shop | Do it | done | 0.1 | NULL
--> shop | Delete it | rejected | 0.05 | NULL
--> shop | Look around | done | NULL | NULL
