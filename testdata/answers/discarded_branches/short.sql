-- five of seven messages
FROM discarded_branches_short;
--> Origin | tide | 5 | 71.4 | 10 | 0
--> Fork | tide | 0 | 0 | NULL | 2
