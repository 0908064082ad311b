-- Reports whether several rows of key_families have the same key.
SELECT EXISTS (SELECT 1 FROM key_families GROUP BY load_id, source_id, store, family HAVING count(*) > 1);
