EXECUTE answer(transform_version := 7);
--> 1
SELECT source_id, kind, id, transform_version FROM _owners WHERE is_unsure;
--> s1 | conversation | new | 7
