SELECT source_id, store, kind, id FROM _owners ORDER BY ALL;
--> s1 | global | conversation | c2
--> s1 | global | family | c1
--> s1 | workspace/w | conversation | c1
--> s2 | global | conversation | c1
