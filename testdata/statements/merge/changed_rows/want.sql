SELECT source_id, diff_id FROM code_diffs ORDER BY ALL;
--> s1 | d1
--> s2 | d3
SELECT count(*) FROM memory.main.code_diffs;
--> 3
