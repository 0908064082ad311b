SELECT conversation_id, "key", seq, ends, hash, stands_for, value::VARCHAR, place FROM raw ORDER BY 1, 2, 3;
--> (shared) | other | 1 | 9 | a | NULL | value a | 0
--> c1 | k | 1 | 2 | a | NULL | value a | 2
--> c1 | k | 2 | 3 | c | b | value c | 2
--> c1 | k | 3 | 4 | c | NULL | value c | 2
--> c1 | k | 4 | 5 | a | NULL | value a | 2
