EXECUTE answer(raw_file := 's1/f');
--> 1
SELECT source_id, conversation_id, fingerprint FROM _known_conversations ORDER BY ALL;
--> s1 | a | ?
--> s1 | b | y
--> s2 | a | z
