EXECUTE answer(raw_file := 's1/f', transform_version := 7);
--> 1
SELECT source_id, conversation_id, fingerprint, transform_version FROM _known_conversations WHERE fingerprint = '?';
--> s1 | new | ? | 7
