FROM _changed_groups ORDER BY ALL;
--> s1 | file:///a
--> s1 | NULL
