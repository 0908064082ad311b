SELECT source_id, diff_id, conversation_id FROM code_diffs ORDER BY ALL;
--> s1 | by a deleted one | c
--> s1 | by a live one | b
--> s1 | by edit | b
--> s1 | by key | c
--> s1 | by none | NULL
--> s1 | by two | a
--> s2 | by edit | NULL
