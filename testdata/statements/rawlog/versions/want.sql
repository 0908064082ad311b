SELECT conversation_id, "key", seq, ends, hash, value::VARCHAR, place FROM raw ORDER BY 1, 2, 3;
--> (shared) | other | 1 | 9 | a | value a | 0
--> c1 | k | 1 | 2 | a | value a | 2
--> c1 | k | 2 | 3 | b | value b | 2
--> c1 | k | 3 | 4 | c | value c | 2
--> c1 | k | 4 | 5 | a | value a | 2
