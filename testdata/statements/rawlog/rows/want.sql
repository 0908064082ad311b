EXECUTE answer(source_id := 's1', store := 'global', first := 'c1', last := 'c3', until := 2, ids := '["c1", "c3"]');
--> c1 | T | A | k9 | text | NULL | 1 | first | text | 10
--> c1 | T | B | k1 | text | NULL | 3 | in its place | text | 10
--> c1 | T | B | k2 | text | NULL | 2 | second | text | 10
--> c1 | T | B | k0 | blob | NULL | 4 | blobs come after texts | text | 10
--> c1 | T | B | k0 | null | NULL | 5 | rows without a key come last | text | 10
--> c3 | T | A | k | text | NULL | 7 | of c3 | text | 10
