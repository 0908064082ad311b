SELECT source_id, kind, id, fingerprint FROM _owners ORDER BY ALL;
--> s1 | conversation | a | ?
--> s1 | conversation | b | y
--> s1 | family | a | f
--> s2 | conversation | a | z
