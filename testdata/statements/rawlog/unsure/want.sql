SELECT source_id, kind, id, is_unsure FROM _owners ORDER BY ALL;
--> s1 | conversation | a | true
--> s1 | conversation | b | false
--> s1 | family | a | false
--> s2 | conversation | a | false
