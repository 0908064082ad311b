-- three commits of one week and one of the next; one is related
FROM commit_share_short;
--> p | 4 | 2 | 1 | 25
