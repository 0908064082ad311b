EXECUTE answer(transform_version := 7);
--> 1
SELECT source_id, kind, id, fingerprint, transform_version FROM _owners WHERE fingerprint = '?';
--> s1 | conversation | new | ? | 7
