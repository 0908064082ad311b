SELECT key, value_hash, load_id, resolved_load_id FROM quarantine WHERE source_id = 's1' AND store = 'global' ORDER BY ALL;
--> back | h | 1 | NULL
--> new | h | 9 | NULL
--> of another | h | 1 | NULL
--> read whole | h | 1 | NULL
--> rewritten | new | 9 | NULL
--> rewritten | old | 1 | NULL
--> still | h | 1 | NULL
--> usable | h | 1 | NULL
--> NULL | h | 1 | NULL
